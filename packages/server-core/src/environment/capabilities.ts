// What this server announces. A Codex client asks for an optional family only where its flag is true, so a flag is
// true when the thing works here, and not before.
import type { EnvironmentCapabilities } from '@codex/exec-protocol';
import type { HostFacts } from './host-facts.js';

export type Capabilities = Required<EnvironmentCapabilities>;

export function capabilitiesOf({ canWatchFiles, canSandboxFiles }: HostFacts): Capabilities {
  return {
    networkProxyLaunch: false,
    networkProxyReviewDomains: false,
    credentialMasking: false,
    credentialMaskingCustomProviders: false,
    capabilityDiscoverySandbox: canSandboxFiles,
    capabilityDiscoveryV2: true,
    fsWatchMissing: canWatchFiles,
    environmentConfigRead: true,
    httpHeaderEnvVars: true,
    sandboxedFileStreaming: canSandboxFiles,
    fileWriteStreaming: true,
    // Elsewhere the launcher cannot hand the state over, and every command runs its profile.
    shellSnapshotV2: process.platform === 'linux',
    windowsMxc: false,
    linuxRootWritePreservesDevices: false,
    linuxApprovedRootWritePreservesRestrictions: process.platform === 'linux' && canSandboxFiles,
    absolutePaths: true,
    sessionTtl: true,
    lifecycleNotifications: true,
    outputGapReport: true,
    sandboxDenialEvidence: true,
    processStartIo: true,
    processStartPrepared: true,
    processCloseStdin: true,
    processResize: true,
    processWait: true,
    processSnapshot: true,
    processList: true,
    processSignalAny: true,
    processTerminateMode: true,
    fsRename: true,
    fsWatch: canWatchFiles,
    fsWatchSandbox: canWatchFiles && canSandboxFiles,
    fsWriteOptions: true,
  };
}
