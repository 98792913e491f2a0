// What only fleets need, behind one import: every further one would cut the program into more files, which all starts read.

export { fleetCommand } from './fleet-command.js';
export { gatewayCommand } from './gateway-command.js';
export { serveFleet } from './serve-fleet.js';
