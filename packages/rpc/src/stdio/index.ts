// @codex/exec-rpc/stdio: JSON messages, one per line, over a pair of streams.

export { createStdioChannel, type StdioChannelOptions } from './stdio-channel.js';
