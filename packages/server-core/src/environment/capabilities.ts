// What this server announces. A Codex client asks for an optional family only where its flag is true, so a flag is
// true when the thing works here, and not before.
import type { EnvironmentCapabilities } from '@codex/exec-protocol';

export type Capabilities = Required<EnvironmentCapabilities>;

export const CAPABILITIES: Capabilities = {
  networkProxyLaunch: false,
  networkProxyReviewDomains: false,
  credentialMasking: false,
  credentialMaskingCustomProviders: false,
  capabilityDiscoverySandbox: false,
  capabilityDiscoveryV2: false,
  fsWatchMissing: true,
  environmentConfigRead: true,
  httpHeaderEnvVars: true,
  sandboxedFileStreaming: true,
  fileWriteStreaming: true,
  shellSnapshotV2: process.platform !== 'win32',
  windowsMxc: false,
  linuxRootWritePreservesDevices: false,
  linuxApprovedRootWritePreservesRestrictions: false,
  absolutePaths: true,
  sessionTtl: true,
  lifecycleNotifications: true,
  outputGapReport: true,
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
  fsWatch: true,
  fsWatchSandbox: true,
  fsWriteOptions: true,
};
