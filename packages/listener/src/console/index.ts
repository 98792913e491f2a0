// @codex/exec-listener/console: the page in the browser and who may open it. Loaded when it is used.

export { type ConsoleDoorOptions, openConsoleDoor } from './console-door.js';
export { newRunHost } from './run-host.js';
export { type IssuedTicket, type TicketHolder, TicketOffice, type TicketRequest } from './ticket-office.js';
