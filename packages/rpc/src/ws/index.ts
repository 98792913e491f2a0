// @codex/exec-rpc/ws: the websocket client channel.

export { ConnectError, type ConnectErrorCode } from './connect/connect-error.js';
export { type ConnectOptions, connectWebSocket } from './connect/connect-web-socket.js';
export { DEFAULT_KEEPALIVE, type KeepaliveOptions } from './keepalive.js';
export { WebSocketChannel } from './web-socket-channel.js';
