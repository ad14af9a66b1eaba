// The API, asked with the session of the console.

// headers are those of every request: the console's, and two that keep the browser from asking for a fresh reading (no-cache), which
// it does by itself for what it is not to store. It is not to store what another key in this browser may not see.
const headers = { "X-Assay-Console": "1", "Cache-Control": "no-store", Pragma: "no-store" };

// send makes a request with the console's header. Its error says what the API says.
export async function send(path, options = {}) {
  const reply = await fetch(path, {
    ...options, headers: { ...headers, ...options.headers }, credentials: "same-origin", cache: "no-store",
  });
  if (!reply.ok) throw new Error(messageOf(reply, await reply.json().catch(() => null)));
  return reply;
}

function messageOf(reply, body) {
  const detail = body?.detail;
  if (Array.isArray(detail)) return detail.map(one => `${one.loc.at(-1)}: ${one.msg}`).join("; ");
  if (reply.status === 401) return "Your session has ended. Reload the page to log in.";
  return detail ? `${detail.message} (${detail.error})` : `The gateway answered ${reply.status}.`;
}

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
