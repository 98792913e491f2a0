// The exec-server wire protocol: everything both sides share, without a Node import or a runtime dependency.
export * from './coded-error.js';
export * from './errors.js';
export type * from './generated/wire-types.js';
export * from './limits.js';
export * from './methods.js';
export * from './wire/wire-message.js';
