// What a server says about the machine it runs on and about what it can do beyond the common ground.
import { Type } from '@sinclair/typebox';
import { named, optional, PathText, refTo, stringEnum } from './primitives.js';

const flag = Type.Optional(Type.Boolean());

export const EnvironmentCapabilities = named(
  'EnvironmentCapabilities',
  Type.Object({
    // Announced by Codex servers; a missing one means false.
    networkProxyLaunch: flag,
    networkProxyReviewDomains: flag,
    credentialMasking: flag,
    credentialMaskingCustomProviders: flag,
    capabilityDiscoverySandbox: flag,
    capabilityDiscoveryV2: flag,
    fsWatchMissing: flag,
    environmentConfigRead: flag,
    httpHeaderEnvVars: flag,
    sandboxedFileStreaming: flag,
    fileWriteStreaming: flag,
    shellSnapshotV2: flag,
    windowsMxc: flag,
    linuxRootWritePreservesDevices: flag,
    linuxApprovedRootWritePreservesRestrictions: flag,
    // Announced by this server only.
    absolutePaths: flag,
    sessionTtl: flag,
    lifecycleNotifications: flag,
    outputGapReport: flag,
    sandboxDenialEvidence: flag,
    sandboxStops: flag,
    processStartIo: flag,
    processStartPrepared: flag,
    processCloseStdin: flag,
    processResize: flag,
    processWait: flag,
    processSnapshot: flag,
    processList: flag,
    processSignalAny: flag,
    processTerminateMode: flag,
    processTerminateTree: flag,
    fsRename: flag,
    fsWatch: flag,
    fsWatchSandbox: flag,
    fsWriteOptions: flag,
    fileTrees: flag,
    binaryPayloads: flag,
    sessionObserve: flag,
    sessionJournal: flag,
    sessionControl: flag,
    sandboxExplain: flag,
    observeFiles: flag,
    approvals: flag,
    consoleTickets: flag,
  }),
);

export const ShellInfo = named('ShellInfo', Type.Object({ name: Type.String(), path: Type.String() }));

export const EnvironmentInfo = named(
  'EnvironmentInfo',
  Type.Object({
    shell: refTo(ShellInfo),
    cwd: optional(PathText),
    userHomeDir: optional(PathText),
    tempDir: optional(PathText),
    temporaryDirectories: optional(Type.Array(PathText)),
    prependPathDirs: optional(Type.Array(PathText)),
    platformOs: optional(Type.String()),
    executorVersion: optional(Type.String()),
    providerId: optional(Type.String()),
    capabilities: optional(refTo(EnvironmentCapabilities)),
  }),
);

export const EnvironmentStatus = named('EnvironmentStatus', Type.Object({ status: stringEnum(['ready']) }));
