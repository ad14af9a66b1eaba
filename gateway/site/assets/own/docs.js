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
  // Its headings skip levels.
  let above = 1;
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    above = Math.min(heading.tagName[1], above + 1);
    heading.setAttribute("aria-level", above);
  }
};
new MutationObserver(mend).observe(root, { childList: true, subtree: true });

// A key that was typed counts, also for who closes the dialog without pressing Authorize.
root.addEventListener("click", event => {
  const form = event.target.closest(".auth-container .btn-done")?.form;
  if (form?.querySelector("input")?.value) form.querySelector(".authorize")?.click();
}, true);

// Its operations are a second main part within that of the page: they become a section. What is wrapped is a boundary around the layout.
const sections = e => Array.isArray(e) ? e.map(sections) : !e?.props ? e : {
  ...e, type: e.type === "main" ? "section" : e.type,
  props: { ...e.props, ...(e.type === "main" && { "aria-label": "Operations" }), ...("children" in e.props && { children: sections(e.props.children) }) },
};
let layout;
const oneMain = () => ({ wrapComponents: { BaseLayout: Boundary => class extends Boundary {
  render() {
    const boundary = super.render(), inner = boundary.props.children;
    layout ??= class extends inner.type { render() { return sections(super.render()); } };
    return { ...boundary, props: { ...boundary.props, children: { ...inner, type: layout } } };
  }
} } });

// Deep links would put a link into the button of each operation.
SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: false, validatorUrl: null, docExpansion: "list",
  defaultModelsExpandDepth: 0, syntaxHighlight: { activated: false }, presets: [SwaggerUIBundle.presets.apis], plugins: [oneMain], layout: "BaseLayout",
});
