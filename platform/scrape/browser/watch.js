(ms, wanted, none) => new Promise((resolve) => {
  let soon, ended = false, error = "";
  const holds = (test) => {
    try { return Boolean(test()); } catch (e) { error = String(e); return false; }
  };
  const end = (outcome) => {
    if (ended) return;
    ended = true;
    observer.disconnect();
    clearTimeout(soon);
    clearInterval(ticking);
    clearTimeout(limit);
    const root = document.documentElement;
    resolve({ outcome, error, url: location.href, html: "<!DOCTYPE html>" + (root ? root.outerHTML : "") });
  };
  // The parser pauses between the rows of a table. readyState does not tell that it has ended: a script that writes into
  // the page later sets it back.
  const look = () => {
    error = "";
    if (!performance.timing.domContentLoadedEventEnd) error = "(it was not parsed to its end)";
    else if (holds(wanted)) end("result");
    else if (holds(none)) end("empty");
  };
  // A burst of changes is looked at once, after it.
  const changed = () => {
    clearTimeout(soon);
    soon = setTimeout(look, 50);
  };
  const observer = new MutationObserver(changed);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const ticking = setInterval(look, 250); // for what is no change of the document, or never ceases
  const limit = setTimeout(() => { look(); end("timeout"); }, ms);
  changed();
})
