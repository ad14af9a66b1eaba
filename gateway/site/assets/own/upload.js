// Says the price of a file of lines as soon as it is chosen or pasted. The form itself has it answered.
const byId = id => document.getElementById(id);
const form = document.querySelector("form.upload"), pasted = byId("pasted"), pay = byId("pay"), message = byId("message");
const payment = pay?.closest("p");
let isPriced = false; // whether the price that is shown is that of what the form has now
let latest = 0; // the number of the last choice: only its price is shown

// priced sends the form as a browser would, and takes the price and what is read as what out of the page that comes.
async function priced() {
  const body = new FormData(form);
  body.set("script", "1");
  if (!body.has("date_form")) body.set("date_form", localStorage.getItem(dateForm) ?? "");
  const reply = await fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  if (page.getElementById("key")) throw new Error("Your session has ended. Reload the page to log in.");
  const part = id => page.getElementById(id);
  const problem = page.querySelector("[role=alert]")?.textContent ?? (part("quote") ? "" : `The gateway answered ${reply.status}.`);
  return { match: part("match"), quote: part("quote"), causes: part("quote-causes"), standing: part("standing")?.textContent, problem };
}

const dateForm = "assay-date-form"; // where the browser keeps what a person chose

// showMatch puts what is read as what between the form, which sends it, and the button that costs.
function showMatch(match) {
  if (!match) return;
  match.querySelector(".by-form").remove();
  for (const hidden of match.querySelectorAll("input[type=hidden]:not([name=sheet_was])")) hidden.remove();
  form.after(match);
  match.after(payment);
  for (const select of match.querySelectorAll("select, [name=sheet_was]")) {
    select.setAttribute("form", form.id);
    select.addEventListener("change", () => {
      if (select.name === "date_form") localStorage.setItem(dateForm, select.value);
      price();
    });
  }
}

const isChosen = () => byId("file").files.length > 0 || !!pasted?.value.trim();

// price asks what a file would cost, read as the form says, and shows both. Nothing is charged for that.
async function price() {
  const mine = ++latest, focused = document.activeElement?.id;
  isPriced = false;
  pay.disabled = true;
  if (!isChosen()) return clear();
  message.textContent = "Asking for the price.";
  try {
    const { match, quote, causes, standing, problem } = await priced();
    if (mine !== latest) return;
    clear();
    if (causes) match?.append(causes);
    showMatch(match);
    byId(focused)?.focus();
    if (standing) byId("standing").textContent = standing;
    if (problem) throw new Error(problem);
    isPriced = true;
    const warnings = [...causes?.children ?? []];
    message.textContent = [quote.querySelector("p").textContent, warnings[0]?.textContent,
      warnings.length > 1 && `${warnings.length - 1} more of this below.`].filter(Boolean).join(" ");
    pay.textContent = quote.querySelector("#confirm").textContent;
    pay.disabled = false;
  } catch (problem) {
    if (mine !== latest) return;
    message.textContent = problem instanceof TypeError ? "The gateway was not reached. Nothing was charged." : problem.message;
    pay.textContent = "Ask for the price again";
    pay.disabled = false;
  }
}

// clear takes away what a form was answered with, and the result of another audit.
function clear() {
  for (const part of document.querySelectorAll(".sent, #result")) part.remove();
  form.append(payment);
}

form?.addEventListener("submit", event => {
  if (!isPriced) {
    event.preventDefault();
    return price();
  }
  message.textContent = "Sent. The page with the result comes by itself.";
});
form?.addEventListener("change", event => {
  if (event.target.id === "file" || event.target === pasted) clear(); // what another file was read as
  price();
});
pasted?.addEventListener("paste", () => setTimeout(() => { // when the text is there; change comes with the next focus only
  clear();
  price();
}));
if (form) {
  pay.disabled = true;
  pay.setAttribute("form", form.id);
  Object.assign(pay, { textContent: pay.dataset.text, name: "step", value: pay.dataset.step, formAction: location.pathname + "#result-title" });
  if (isChosen()) price(); // chosen before this script was there
}

// A file may be dropped anywhere on the form.
for (const name of ["dragover", "drop"]) form?.addEventListener(name, event => {
  event.preventDefault();
  form.classList.toggle("dropping", name === "dragover");
  if (name === "drop" && event.dataTransfer.files.length) {
    byId("file").files = event.dataTransfer.files;
    clear();
    price();
  }
});
form?.addEventListener("dragleave", () => form.classList.remove("dropping"));
