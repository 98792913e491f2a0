// Only node-pty's native `open` and `resize` are used, behind a path that is not part of its interface: its own spawn() loses
// the end of the output, and its open() in JavaScript starts reading on both ends. The version is pinned for that reason.
exports.loadNativePty = () => require('node-pty/lib/utils.js').loadNativeModule('pty').module;
