// The exec-server wire protocol: everything both sides share, without a Node import or a runtime dependency.
export * from './coded-error.js';
export * from './errors.js';
export type * from './generated/wire-types.js';
export * from './limits.js';
export * from './methods.js';
export * from './path-uri.js';
export * from './web-socket-protocols.js';
export { decodeBase64, encodeBase64 } from './wire/base64.js';
export { explainBase64 } from './wire/base64-plain.js';
export * from './wire/encode-message.js';
export * from './wire/malformed-message-error.js';
export * from './wire/parse-message.js';
export * from './wire/payload-messages.js';
export * from './wire/payload-request.js';
export * from './wire/wire-message.js';
