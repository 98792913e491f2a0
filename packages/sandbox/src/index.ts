export * from './denial.js';
export { SandboxError, type SandboxErrorCode } from './errors.js';
export * from './policy/policy-constructors.js';
export type * from './policy/policy-model.js';
export { prepareSandbox } from './prepare-sandbox.js';
export { type RunSandboxedRequest, runSandboxed, type SandboxedResult } from './run-sandboxed.js';
export type * from './sandbox-request.js';
export { type SpawnPreparedOptions, spawnPrepared } from './spawn-prepared.js';
