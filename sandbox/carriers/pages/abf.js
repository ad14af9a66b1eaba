// The page's templates look like AngularJS; this fills them.
(function () {
  "use strict";
  var hole = /\{\{\s*([\w.]+)\s*\}\}/g;

  function value(scope, path) {
    return path.split(".").reduce(function (v, name) { return v === undefined ? v : v[name]; }, scope);
  }

  function fill(node, scope) {
    if (node.nodeType === Node.TEXT_NODE) {
      node.textContent = node.textContent.replace(hole, function (_, path) { return value(scope, path); });
      return;
    }
    var loop = node.getAttribute && node.getAttribute("ng-repeat");
    if (loop) {
      repeat(node, scope, loop);
      return;
    }
    Array.prototype.slice.call(node.childNodes).forEach(function (child) { fill(child, scope); });
  }

  function repeat(node, scope, loop) {
    var parts = loop.split(" in ");
    value(scope, parts[1]).forEach(function (item) {
      var copy = node.cloneNode(true), inner = { vm: scope.vm };
      copy.removeAttribute("ng-repeat");
      inner[parts[0]] = item;
      fill(copy, inner);
      node.parentNode.insertBefore(copy, node);
    });
    node.parentNode.removeChild(node);
  }

  fetch("/abf-freight/assets/fuel.json").then(function (r) { return r.json(); }).then(function (vm) {
    setTimeout(function () { fill(document.body, { vm: vm }); }, 200);
  });
})();
