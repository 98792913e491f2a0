// @codex/sandbox: policies, and what enforces them on Linux (bubblewrap, Landlock) and macOS (seatbelt).
export * from './denial/find-denial.js';
export { describeLostMount } from './describe-lost-mount.js';
export { diagnoseHost, type HostDiagnosis } from './diagnose/diagnose-host.js';
export {
  type DiagnosePoliciesOptions,
  diagnosePolicies,
  type PolicyDiagnosis,
} from './diagnose/diagnose-policies.js';
export { SandboxError, type SandboxErrorCode } from './errors.js';
export { expectSandboxes } from './expect-sandboxes.js';
export { type LaunchSpecOptions, launchSpec } from './launch-spec.js';
export { endSandboxHousekeeping } from './linux/host-changes/host-changes.js';
export { isMountPoint } from './linux/host-changes/mount-point-marks.js';
export type { HostFinding } from './linux/host-findings.js';
export { type LinuxHost, linuxHost, type ProbeOptions, probeLinuxHost } from './linux/host-probe.js';
export { type LocateOptions, locatePath, locatePolicy } from './linux/locate/locate-policy.js';
export { MountedNames, readMountedNames } from './linux/locate/mounted-names.js';
export { buildSeatbeltCommand, type SeatbeltCommand, type SeatbeltHost } from './macos/seatbelt-profile.js';
export { type AccessDecider, type AccessLookup, createAccessLookup } from './policy/access-lookup.js';
export { describePolicy } from './policy/describe-policy.js';
export { gitCommitEntries } from './policy/git-commit-entries.js';
export { type LegacyPolicy, projectLegacyPolicy } from './policy/legacy-policy.js';
export {
  type ParseContextOptions,
  parseSandboxContext,
  type SandboxContext,
} from './policy/parse-sandbox-context.js';
export * from './policy/policy-constructors.js';
export type * from './policy/policy-model.js';
export { defaultProtectedNames } from './policy/protected-names.js';
export { type PathRule, type ResolvedPolicy, resolvePolicy, withRules } from './policy/resolve-policy.js';
export type { PrepareOptions } from './prepare-sandbox.js';
export { prepareSandbox } from './prepare-sandbox.js';
export type { OutputChunk } from './run/output-collector.js';
export { type ForegroundEnd, runInForeground } from './run/run-in-foreground.js';
export { type RunSandboxedRequest, runSandboxed, type SandboxedResult } from './run/run-sandboxed.js';
export { type SpawnPreparedOptions, spawnPrepared } from './run/spawn-prepared.js';
export type * from './sandbox-request.js';
