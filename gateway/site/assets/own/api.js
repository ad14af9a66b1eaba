// What the scripts of the console share.

// reach leads a person to what came: it is scrolled to and has the focus, so that it is read out too.
export function reach(what) {
  what.scrollIntoView();
  what.focus({ preventScroll: true });
}

let sent = "", until = 0; // what was sent last, and until when the same is a repetition

// isRepeated tells whether the form that is submitted was sent already as it is: a second tap would be charged again. A page that comes ends
// that, and so do answered() and a minute; after a file, of which no page comes, ten seconds.
export function isRepeated({ target: form, submitter: button }) {
  const fields = `${form.getAttribute("action")} ${new URLSearchParams(new FormData(form, button))}`, now = Date.now();
  if (fields === sent && now < until) return true;
  [sent, until] = [fields, now + (button?.name === "format" ? 10e3 : 60e3)];
  return false;
}

export const answered = () => { sent = ""; };
addEventListener("pageshow", answered);

// element makes an element with text, which stays text whatever a source put into it.
export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
