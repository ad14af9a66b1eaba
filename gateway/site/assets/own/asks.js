// Says that the forms of a page which ask the API do so, and sends nothing twice.
import { isRepeated } from "./api.js";

const message = document.getElementById("message");
for (const form of document.querySelectorAll("form.asks")) form.addEventListener("submit", event => {
  if (isRepeated(event)) return event.preventDefault();
  if (event.submitter?.name !== "format") message.textContent = message.dataset.asking; // else the browser saves a file
});
addEventListener("pageshow", () => { message.textContent = ""; });
