// What only fleets need, behind one import: every further one would cut the program into more files, which all starts read.

export { gatewayCommand } from '../gateway/gateway-command.js';
export { fleetCommand } from './fleet-command.js';
export { serveFleet } from './serve-fleet.js';
