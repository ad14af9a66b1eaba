// Sends the forms without leaving the page before there is an answer, which has an address of its own. What failed is told here.
import { answered, isRepeated, reach } from "./api.js";

const byId = id => document.getElementById(id);
const message = byId("message");
let latest = 0; // the number of the request that was made last: only its answer is shown
let isThere = !byId("answer").hidden; // an answer, also while another is asked for

// ask sends a form as the browser would, and leads to the address of its answer. It returns the page that tells why there is none, or the
// answer that could not be kept.
async function ask(form, button) {
  const body = new URLSearchParams(new FormData(form, button)), mine = ++latest;
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  if (mine !== latest) return null;
  if (reply.redirected) return location.assign(`${reply.url}#message`);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html"), section = page.getElementById("answer");
  if (mine !== latest) return null;
  if (section) return { section, text: page.getElementById("message").textContent };
  if (page.getElementById("key")) throw new Error("Your session has ended. Reload the page to log in.");
  throw new Error(page.querySelector("[role=alert]")?.textContent ?? `The gateway answered ${reply.status}.`);
}

async function run(form, button) {
  const asked = ask(form, button), number = latest;
  const answer = byId("answer");
  message.className = "";
  message.textContent = "Asking the source. This can take a minute.";
  answer.hidden = true;
  try {
    const came = await asked;
    if (!came) return;
    answer.replaceWith(came.section);
    isThere = !came.section.hidden;
    message.textContent = came.text;
  } catch (problem) {
    if (number !== latest) return;
    message.textContent = problem instanceof TypeError ? "The gateway was not reached, or its answer broke off." : problem.message;
    message.className = "state bad";
    answer.hidden = !isThere;
    if (isThere) message.textContent += " Below is the answer before this one.";
  }
  answered();
  reach(message);
}

document.addEventListener("submit", event => {
  const { target: form, submitter: button } = event;
  if (!["lookup", "search", "row", "pages"].includes(form.id)) return;
  const isFile = button?.name === "format", isAgain = isRepeated(event);
  if (isFile && !isAgain) return; // the browser saves a file
  event.preventDefault();
  if (isAgain) return;
  run(form, button);
});
addEventListener("pageshow", event => event.persisted && location.reload()); // as it was before it asked
