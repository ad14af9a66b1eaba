// The API, asked with the session of the console.

// send makes a request with the console's header. Its error says what the API says.
export async function send(path, options = {}) {
  const reply = await fetch(path, {
    ...options, headers: { "X-Assay-Console": "1", ...options.headers }, credentials: "same-origin", cache: "no-store",
  });
  if (!reply.ok) throw new Error(messageOf(reply, await reply.json().catch(() => null)));
  return reply;
}

// ask gets an answer.
export async function ask(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value);
  const reply = await send(`${path}?${new URLSearchParams(given)}`);
  return reply.json();
}

function messageOf(reply, body) {
  const detail = body?.detail;
  if (Array.isArray(detail)) return detail.map(one => `${one.loc.at(-1)}: ${one.msg}`).join("; ");
  if (reply.status === 401) return "Your session has ended. Reload the page to log in.";
  return detail ? `${detail.message} (${detail.error})` : `The gateway answered ${reply.status}.`;
}

// element makes an element with text, which stays text whatever a source put into it.
export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
