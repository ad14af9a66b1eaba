// Shows answers without leaving the page. Pages of a search that were read are shown again without a further answer.
import { reach } from "./api.js";

const byId = id => document.getElementById(id);
const message = byId("message");
let pages = []; // the pages of the search that were read, each with its section and its message
let at = 0; // which of them is shown
let latest = 0; // the number of the request that was made last: only its answer is shown

function show({ section, text }) {
  byId("answer").replaceWith(section);
  message.textContent = text;
}

// ask sends a form as the browser would, and takes the answer out of the page that comes.
async function ask(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html"), section = page.getElementById("answer");
  if (section) return { section, text: page.getElementById("message").textContent };
  if (page.getElementById("key")) throw new Error("Your session has ended. Reload the page to log in.");
  throw new Error(page.querySelector("[role=alert]")?.textContent ?? `The gateway answered ${reply.status}.`);
}

// run shows what a form is answered with, or why there is none. keep keeps the answer.
async function run(form, button, keep) {
  const mine = ++latest, empty = byId("answer").cloneNode();
  const asked = ask(form, button);
  empty.hidden = true;
  show({ section: empty, text: "Asking the source. This can take a minute." });
  try {
    const answer = await asked;
    if (mine !== latest) return;
    if (!answer.section.hidden) keep(answer);
    show(answer);
  } catch (problem) {
    if (mine !== latest) return;
    message.textContent = problem.message;
  }
  reach(message);
}

// turn shows the page of the search before or after the one that is shown.
function turn(form, button) {
  const to = button.name === "back" ? at - 1 : at + 1;
  if (pages[to]) {
    show(pages[at = to]);
    reach(message);
  } else run(form, button, answer => { pages[at = to] = answer; });
}

const begin = {
  lookup: (form, button) => run(form, button, () => {}),
  row: (form, button) => run(form, button, () => {}),
  search: (form, button) => run(form, button, answer => { pages = [answer]; at = 0; }),
  pages: turn,
};

document.addEventListener("submit", event => {
  const { target: form, submitter: button } = event;
  if (!begin[form.id] || button?.name === "format") return; // the browser saves a file
  event.preventDefault();
  message.className = "";
  begin[form.id](form, button);
});
