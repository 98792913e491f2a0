// @codex/exec-rpc/ws-channel: the channel over a websocket that is already open, for listeners. Apart
// from the client's entry, because it does not load `ws`.

export { CLOSE_GOING_AWAY, CLOSE_INTERNAL } from './close-info.js';
export { DEFAULT_KEEPALIVE, type KeepaliveOptions } from './keepalive.js';
export { WebSocketChannel, type WebSocketChannelOptions } from './web-socket-channel.js';
