// Runs before any script of a frame or a worker. It removes what sends datagrams, because those pass a proxy by, and what
// opens a context that this script does not reach. They are set, not deleted: Chromium puts a deleted one back into a worker.
(() => {
  const removed = [
    "RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "RTCIceTransport", "RTCDtlsTransport",
    "RTCSctpTransport", "WebTransport", "WebSocketStream", "UDPSocket", "TCPSocket", "TCPServerSocket", "SharedWorker",
  ];
  for (const name of removed) Object.defineProperty(globalThis, name, { value: undefined });
  if (!globalThis.document) return; // a worker has no more
  delete Navigator.prototype.serviceWorker;
  globalThis.open = () => null;
})();
