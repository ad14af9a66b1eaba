// Shows the OpenAPI document with Swagger UI, and mends what keeps people with screen readers and keyboards from using it.
const root = document.getElementById("swagger-ui");

// A select that has no label is read as nothing: it is named by what stands beside it.
const nameOf = select => select.closest("tr")?.querySelector(".parameter__name")?.firstChild?.textContent
  || (select.closest(".servers") ? "Server" : select.classList.contains("content-type") ? "Media type" : "Example");

const mend = () => {
  for (const select of root.querySelectorAll("select:not([aria-label])")) select.setAttribute("aria-label", nameOf(select));
  for (const button of root.querySelectorAll(".close-modal:not([aria-label])")) button.setAttribute("aria-label", "Close");
  // Its label says other words than those that it shows.
  for (const button of root.querySelectorAll(".auth-btn-wrapper button[aria-label]")) button.removeAttribute("aria-label");
  for (const code of root.querySelectorAll("pre:not([tabindex])")) code.setAttribute("tabindex", "0");
  // Its headings skip a level, and its operations are a second main part within that of the page.
  for (const heading of root.querySelectorAll(".opblock-tag:not([aria-level]), .models > h4:not([aria-level])")) heading.setAttribute("aria-level", "2");
  for (const part of root.querySelectorAll("main:not([role])")) {
    part.setAttribute("role", "region");
    part.setAttribute("aria-label", "Operations");
  }
};
new MutationObserver(mend).observe(root, { childList: true, subtree: true });

// A key that was typed counts, also for who closes the dialog without pressing Authorize.
root.addEventListener("click", event => {
  const form = event.target.closest(".auth-container .btn-done")?.form;
  if (form?.querySelector("input")?.value) form.querySelector(".authorize")?.click();
}, true);

// Deep links would put a link into the button of each operation.
SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: false, validatorUrl: null, docExpansion: "list",
  defaultModelsExpandDepth: 0, syntaxHighlight: { activated: false }, presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout",
});
