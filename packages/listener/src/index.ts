// @codex/exec-listener: accepts websocket connections for an exec-server, behind origin, host, uid and token gates.

export { DEFAULT_KEEPALIVE, type KeepaliveOptions } from '@codex/exec-rpc/ws-channel';
export type { PeerDescription } from './admission.js';
export type { Authenticator, AuthVerdict, GrantedRights } from './auth/authenticator.js';
export type { ConsoleDoor } from './console-route.js';
export { type BindPlan, bindRefusal } from './gate/bind-rules.js';
export { isLoopbackListener } from './gate/loopback.js';
export type { TlsOptions } from './http-server.js';
export { ListenError, type ListenErrorCode } from './listen-error.js';
export { DEFAULT_LISTENER_LIMITS, type ListenerLimits } from './listener-limits.js';
export { PageListener, type PageListenerOptions } from './page-listener.js';
export { type ListenerOptions, WebSocketListener } from './web-socket-listener.js';
