// @codex/exec-fleet: exec-servers on many machines, reached through a NATS broker.

export { parseBrokerAddress } from './broker/broker-address.js';
export { BrokerLink, type BrokerOptions } from './broker/broker-link.js';
export type { Admitted, TokenVerdict, VerifyToken } from './executor/admission.js';
export { Executor } from './executor/executor.js';
export type { ExecutorOptions, FleetServer } from './executor/executor-options.js';
export { FleetError, type FleetErrorCode, type LossDetails, type LossReason } from './fleet-error.js';
export { Gateway, type GatewayOptions, type GatewayPlace } from './gateway/gateway.js';
export { requestDrain } from './inventory/drain-request.js';
export { FleetCounters, prometheusText } from './inventory/fleet-counters.js';
export { Inventory, type KnownMachine, type SlotCounts, slotsOf } from './inventory/inventory.js';
export { callRoll, type PresentMachine } from './inventory/roll-call.js';
export { type CallerOptions, FleetCaller } from './opener/caller.js';
export { type FleetOpener, type FleetTarget, fleetOpener } from './opener/fleet-opener.js';
export { FleetSession, type FleetSessionOptions } from './opener/fleet-session.js';
export { FleetKeys, type ListedKey, type Minted, type MintOptions } from './tenancy/fleet-keys.js';
export { ROLES, type Role } from './tenancy/roles.js';
