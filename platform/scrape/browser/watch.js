(ms, wanted, none) => new Promise((resolve) => {
  let queued = false, ended = false, error = "";
  const holds = (test) => {
    try { return Boolean(test()); } catch (e) { error = String(e); return false; }
  };
  const end = (outcome) => {
    if (ended) return;
    ended = true;
    observer.disconnect();
    clearInterval(ticking);
    clearTimeout(limit);
    const root = document.documentElement;
    resolve({ outcome, error, url: location.href, html: "<!DOCTYPE html>" + (root ? root.outerHTML : "") });
  };
  const look = () => {
    queued = false;
    if (holds(wanted)) end("result");
    else if (holds(none)) end("empty");
  };
  // A burst of changes is looked at once.
  const changed = () => {
    if (queued) return;
    queued = true;
    setTimeout(look, 5);
  };
  const observer = new MutationObserver(changed);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const ticking = setInterval(changed, 250); // for what is no change of the document
  const limit = setTimeout(() => end("timeout"), ms);
  look();
})
