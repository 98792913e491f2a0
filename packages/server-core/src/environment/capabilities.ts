// What this server announces. A Codex client asks for an optional family only where its flag is true, so a flag is
// true when the thing works here, and not before.
import {
  type EnvironmentCapabilities,
  METHOD_CAPABILITIES,
  type MethodCapability,
} from '@codex/exec-protocol';
import type { HostFacts } from './host-facts.js';

export type Capabilities = Required<EnvironmentCapabilities>;

/** This server has every method of the protocol; what the machine cannot do is said below. */
const EVERY_METHOD = Object.fromEntries(METHOD_CAPABILITIES.map((flag) => [flag, true])) as Readonly<
  Record<MethodCapability, true>
>;

export function capabilitiesOf({ canWatchFiles, canSandboxFiles }: HostFacts): Capabilities {
  return {
    ...EVERY_METHOD,
    networkProxyLaunch: false,
    networkProxyReviewDomains: false,
    credentialMasking: false,
    credentialMaskingCustomProviders: false,
    capabilityDiscoverySandbox: canSandboxFiles,
    fsWatchMissing: canWatchFiles,
    httpHeaderEnvVars: true,
    sandboxedFileStreaming: canSandboxFiles,
    // Elsewhere the launcher cannot hand the state over, and every command runs its profile.
    shellSnapshotV2: process.platform === 'linux',
    windowsMxc: false,
    linuxRootWritePreservesDevices: false,
    linuxApprovedRootWritePreservesRestrictions: process.platform === 'linux' && canSandboxFiles,
    absolutePaths: true,
    sessionTtl: true,
    outputGapReport: true,
    sandboxDenialEvidence: true,
    sandboxStops: process.platform === 'linux',
    processStartIo: true,
    processStartPrepared: true,
    processSignalAny: true,
    processTerminateMode: true,
    processTerminateTree: true,
    fsWatch: canWatchFiles,
    fsWatchSandbox: canWatchFiles && canSandboxFiles,
    fsWriteOptions: true,
    observeFiles: canSandboxFiles,
    consoleTickets: false,
    // Where the channel of the connection carries them.
    binaryPayloads: false,
  };
}
