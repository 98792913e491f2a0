// @codex/exec-rpc/bytes: messages as bytes and back, and signs of life, for channels that other packages bring.

export { LifeProbes } from './life-probes.js';
export { LongMessage } from './long-message.js';
export { messageText } from './message-text.js';
export { encodedMessage, type OutgoingMessage, outgoingMessage } from './outgoing-message.js';
export { frameMemory, payloadMemory, SpareMemory } from './spare-memory.js';
