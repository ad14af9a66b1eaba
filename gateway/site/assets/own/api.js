// What the scripts of the console share.

// reach leads a person to what came: it is scrolled to and has the focus, so that it is read out too.
export function reach(what) {
  what.scrollIntoView();
  what.focus({ preventScroll: true });
}

// element makes an element with text, which stays text whatever a source put into it.
export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
