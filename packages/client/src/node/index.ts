// @codex/exec-client/node: the parts of the client that only Node has. `connect({ command })`, `fs.upload` and
// `fs.download` use them by themselves.

export { openCommand } from './command-channel.js';
export { localFiles } from './local-files.js';
