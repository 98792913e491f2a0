// @codex/exec-listener/auth: who may connect, decided by a token. Apart from the listener, because most servers listen on
// loopback without one, and loading cryptography is a noticeable part of their start.
export { capabilityTokenAuth } from './capability-token.js';
export { readSecretFile } from './secret-file.js';
export { type SignedBearerOptions, signedBearerAuth } from './signed-bearer-token.js';
export { signUrlTicket, type UrlTicketAuth, urlTicketAuth } from './url-ticket.js';
