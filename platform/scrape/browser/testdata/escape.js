const attempt = (way) => way().catch(() => {});
const make = (tag, properties) => {
  const element = Object.assign(document.createElement(tag), properties);
  document.body.append(element);
  return element;
};
// work is a function whose own text runs in workers too.
function work(source) {
  return new Worker(URL.createObjectURL(new Blob([source])));
}
function blob(source) {
  return URL.createObjectURL(new Blob([source]));
}
// peer gathers candidates, for which it asks the server.
async function peer(w, server) {
  const connection = new w.RTCPeerConnection({ iceServers: [{ urls: server, username: "u", credential: "c" }] });
  (window.kept ||= []).push(connection);
  connection.createDataChannel("x");
  await connection.setLocalDescription(await connection.createOffer());
}
// meet looks for its other end at an address.
async function meet(address) {
  const [ip, port] = address.split(":"), near = new RTCPeerConnection(), far = new RTCPeerConnection();
  (window.kept ||= []).push(near, far);
  near.createDataChannel("x");
  await near.setLocalDescription(await near.createOffer());
  await far.setRemoteDescription(near.localDescription);
  await far.setLocalDescription(await far.createAnswer());
  await near.setRemoteDescription(far.localDescription);
  await near.addIceCandidate({ sdpMid: "0", candidate: `candidate:1 1 udp 2122260223 ${ip} ${port} typ host` });
}
// code is a document that can call peer.
const code = (script) => "<script>" + peer + ";" + script + "</" + "script>";
if (!window.stays) setTimeout(() => { window.finished = true; }, 3000);
