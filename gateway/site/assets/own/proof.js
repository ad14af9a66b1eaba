// Sends an answer as soon as its file is chosen, and nothing twice.
const message = document.getElementById("message"), file = document.getElementById("file");
let sent = false;

for (const form of document.querySelectorAll("form.asks")) form.addEventListener("submit", event => {
  if (sent) event.preventDefault();
  sent = true;
  message.textContent = "Asking, and reading the documents again. This can take a minute.";
});
addEventListener("pageshow", () => {
  sent = false;
  message.textContent = "";
});
file.addEventListener("change", () => file.files.length && file.form.requestSubmit());

// What is asked for is shown first in a long document.
const page = document.querySelector(".exhibit"), asked = page?.querySelector(".row, .asked");
if (asked) page.scrollTop = asked.offsetTop - page.offsetTop - page.clientHeight / 3;
