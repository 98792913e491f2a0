// Generated from src/schema by scripts/generate.ts. Do not edit.
export interface Approval {
  readonly session: string;
  readonly approval: string;
  readonly title: string;
  readonly argv?: readonly string[] | null;
  readonly cwd?: string | null;
  readonly reason?: string | null;
  readonly sentences?: readonly string[] | null;
  readonly choices: readonly ApprovalChoice[];
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly outcome?: ApprovalsAskResult | null;
}

export interface ApprovalChoice {
  readonly id: string;
  readonly label: string;
}

export interface ApprovalsAskParams {
  readonly id: string;
  readonly title: string;
  readonly argv?: readonly string[] | null;
  readonly cwd?: string | null;
  readonly reason?: string | null;
  readonly sentences?: readonly string[] | null;
  readonly choices?: readonly ApprovalChoice[] | null;
  readonly expiresInMs?: number | null;
}

export interface ApprovalsAskResult {
  readonly decision: string;
  readonly decided: boolean;
  readonly by?: string | null;
  readonly note?: string | null;
}

export interface ApprovalsChangedNotification {
  readonly approval: Approval;
}

export interface ApprovalsDecideParams {
  readonly session: string;
  readonly approval: string;
  readonly decision: string;
  readonly note?: string | null;
}

export interface ApprovalsDecideResult {
  readonly accepted: boolean;
  readonly outcome: ApprovalsAskResult;
}

export interface ApprovalsListResult {
  readonly approvals: readonly Approval[];
}

export interface ApprovalsWithdrawParams {
  readonly id: string;
}

export interface CapabilitiesDiscoverV2Params {
  readonly cwd: string;
  readonly sandbox?: SandboxContext | null;
}

export interface CapabilitiesDiscoverV2Result {
  readonly plugins: readonly InstalledPlugin[];
  readonly skills: readonly InstalledSkill[];
  readonly warnings: readonly string[];
}

export interface CapabilityPlugin {
  readonly manifest: CapabilityTextFile;
  readonly mcpConfig: CapabilityTextFile | null;
  readonly appsConfig: CapabilityTextFile | null;
}

export interface CapabilityRoot {
  readonly id: string;
  readonly path: string;
  readonly plugin: CapabilityPlugin | null;
  readonly skills: readonly CapabilitySkill[];
  readonly namespaceManifests: readonly CapabilityTextFile[];
  readonly warnings: readonly string[];
  readonly error: string | null;
}

export interface CapabilityRootRequest {
  readonly id: string;
  readonly path: string;
  readonly sandbox?: SandboxContext | null;
}

export interface CapabilityRootsDiscoverParams {
  readonly roots: readonly CapabilityRootRequest[];
}

export interface CapabilityRootsDiscoverResult {
  readonly roots: readonly CapabilityRoot[];
}

export interface CapabilitySkill {
  readonly instructions: CapabilityTextFile;
  readonly metadata: CapabilityTextFile | null;
}

export interface CapabilityTextFile {
  readonly path: string;
  readonly contents: string;
}

export interface ConsoleCreateTicketParams {
  readonly grants?: readonly Grant[] | null;
  readonly ttlMs?: number | null;
}

export interface ConsoleCreateTicketResult {
  readonly ticket: string;
  readonly path: string;
  readonly expiresAtMs: number;
  readonly grants: readonly Grant[];
}

export interface ConsoleShareTicketResult {
  readonly ticket: string;
}

export interface ControlResizeParams {
  readonly session: string;
  readonly processId: string;
  readonly rows: number;
  readonly cols: number;
}

export interface ControlSignalParams {
  readonly session: string;
  readonly processId: string;
  readonly signal: ProcessSignal;
}

export interface ControlTerminateParams {
  readonly session: string;
  readonly processId: string;
  readonly mode?: TerminateMode | null;
}

export interface ControlWriteParams {
  readonly session: string;
  readonly processId: string;
  readonly chunk: string;
  readonly writeId?: string | null;
}

export interface DirectStartParams {
  readonly kind?: 'direct';
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  readonly rows?: number | null;
  readonly cols?: number | null;
  readonly pipeStdin?: boolean | null;
  readonly io?: ProcessIo | null;
  readonly arg0?: string | null;
  readonly metadata?: ExecMetadata | null;
  readonly envPolicy?: EnvPolicy | null;
  readonly sandbox?: SandboxContext | null;
  readonly shellSnapshot?: ShellSnapshot | null;
  readonly enforceManagedNetwork?: boolean | null;
  readonly managedNetwork?: unknown;
  readonly networkProxy?: unknown;
}

export interface DirectoryEntry {
  readonly fileName: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export type EmptyResult = Readonly<Record<string, never>>;

export interface EnvPolicy {
  readonly inherit: 'core' | 'all' | 'none';
  readonly ignoreDefaultExcludes: boolean;
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly includeOnly: readonly string[];
}

export interface EnvironmentCapabilities {
  readonly networkProxyLaunch?: boolean;
  readonly networkProxyReviewDomains?: boolean;
  readonly credentialMasking?: boolean;
  readonly credentialMaskingCustomProviders?: boolean;
  readonly capabilityDiscoverySandbox?: boolean;
  readonly capabilityDiscoveryV2?: boolean;
  readonly fsWatchMissing?: boolean;
  readonly environmentConfigRead?: boolean;
  readonly httpHeaderEnvVars?: boolean;
  readonly sandboxedFileStreaming?: boolean;
  readonly fileWriteStreaming?: boolean;
  readonly shellSnapshotV2?: boolean;
  readonly windowsMxc?: boolean;
  readonly linuxRootWritePreservesDevices?: boolean;
  readonly linuxApprovedRootWritePreservesRestrictions?: boolean;
  readonly absolutePaths?: boolean;
  readonly sessionTtl?: boolean;
  readonly lifecycleNotifications?: boolean;
  readonly outputGapReport?: boolean;
  readonly sandboxDenialEvidence?: boolean;
  readonly sandboxStops?: boolean;
  readonly processStartIo?: boolean;
  readonly processStartPrepared?: boolean;
  readonly processCloseStdin?: boolean;
  readonly processResize?: boolean;
  readonly processWait?: boolean;
  readonly processSnapshot?: boolean;
  readonly processList?: boolean;
  readonly processSignalAny?: boolean;
  readonly processTerminateMode?: boolean;
  readonly processTerminateTree?: boolean;
  readonly fsRename?: boolean;
  readonly fsWatch?: boolean;
  readonly fsWatchSandbox?: boolean;
  readonly fsWriteOptions?: boolean;
  readonly fileTrees?: boolean;
  readonly binaryPayloads?: boolean;
  readonly sessionObserve?: boolean;
  readonly sessionJournal?: boolean;
  readonly sessionControl?: boolean;
  readonly sandboxExplain?: boolean;
  readonly observeFiles?: boolean;
  readonly approvals?: boolean;
  readonly consoleTickets?: boolean;
}

export interface EnvironmentConfigLayer {
  readonly source: string;
  readonly baseDir: string;
  readonly toml: string;
}

export interface EnvironmentConfigReadParams {
  readonly cwd: string;
  readonly configPaths: readonly (readonly string[])[];
  readonly requirementsPaths: readonly (readonly string[])[];
}

export interface EnvironmentConfigReadResult {
  readonly userHomeDir?: string | null;
  readonly codexHomeDir: string;
  readonly hostname?: string | null;
  readonly config: EnvironmentConfigStack;
  readonly requirements: EnvironmentConfigStack;
}

export interface EnvironmentConfigStack {
  readonly layers: readonly EnvironmentConfigLayer[];
  readonly cloudInsertionIndex: number;
}

export interface EnvironmentInfo {
  readonly shell: ShellInfo;
  readonly cwd?: string | null;
  readonly userHomeDir?: string | null;
  readonly tempDir?: string | null;
  readonly temporaryDirectories?: readonly string[] | null;
  readonly prependPathDirs?: readonly string[] | null;
  readonly platformOs?: string | null;
  readonly executorVersion?: string | null;
  readonly providerId?: string | null;
  readonly capabilities?: EnvironmentCapabilities | null;
}

export interface EnvironmentStatus {
  readonly status: 'ready';
}

export interface ErrorMessage {
  readonly error: WireError;
  readonly id: string | number;
}

export interface ExecMetadata {
  readonly threadId?: string | null;
  readonly toolCallId?: string | null;
}

export type FileSystemPermissions = {
  readonly type: 'restricted';
  readonly entries: readonly PermissionEntry[];
  readonly glob_scan_max_depth?: number | null;
} | {
  readonly type: 'unrestricted';
};

export interface FsCanonicalizeParams {
  readonly path: string;
  readonly sandbox?: SandboxContext | null;
}

export interface FsCanonicalizeResult {
  readonly path: string;
}

export interface FsChange {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'removed' | 'renamed';
  readonly previousPath?: string | null;
}

export interface FsChangedNotification {
  readonly watchId: string;
  readonly changes: readonly FsChange[];
  readonly overflow?: boolean | null;
}

export interface FsCloseParams {
  readonly handleId: string;
}

export interface FsCopyParams {
  readonly sourcePath: string;
  readonly destinationPath: string;
  readonly recursive: boolean;
  readonly sandbox?: SandboxContext | null;
}

export interface FsCreateDirectoryParams {
  readonly path: string;
  readonly recursive?: boolean | null;
  readonly followSymlinks?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsGetMetadataParams {
  readonly path: string;
  readonly followSymlinks?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsGetMetadataResult {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly size: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface FsMissingChangedNotification {
  readonly watchId: number;
}

export interface FsOpenParams {
  readonly handleId: string;
  readonly path: string;
  readonly mode?: 'read' | 'replace' | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsOpenResult {
  readonly handleId: string;
}

export interface FsReadBlockParams {
  readonly handleId: string;
  readonly offset: number;
  readonly len: number;
}

export interface FsReadBlockResult {
  readonly chunk: string;
  readonly eof: boolean;
}

export interface FsReadDirectoryParams {
  readonly path: string;
  readonly sandbox?: SandboxContext | null;
}

export interface FsReadDirectoryResult {
  readonly entries: readonly DirectoryEntry[];
}

export interface FsReadFileParams {
  readonly path: string;
  readonly followSymlinks?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsReadFileResult {
  readonly dataBase64: string;
}

export interface FsReadTreeParams {
  readonly path: string;
  readonly exclude?: readonly string[] | null;
  readonly after?: TreeCursor | null;
  readonly enoughBytes?: number | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsReadTreeResult {
  readonly entries: readonly TreeEntry[];
  readonly skipped: readonly SkippedTreeEntry[];
  readonly next: TreeCursor | null;
  readonly dataBase64: string;
}

export interface FsRemoveParams {
  readonly path: string;
  readonly recursive?: boolean | null;
  readonly force?: boolean | null;
  readonly followSymlinks?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsRenameParams {
  readonly sourcePath: string;
  readonly destinationPath: string;
  readonly overwrite?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsUnwatchParams {
  readonly watchId: string;
}

export interface FsWalkParams {
  readonly path: string;
  readonly options: WalkOptions;
  readonly sandbox?: SandboxContext | null;
}

export interface FsWalkResult {
  readonly entries: readonly WalkEntry[];
  readonly errors: readonly WalkError[];
  readonly truncated: boolean;
}

export interface FsWatchMissingParams {
  readonly watchId: number;
  readonly missing: readonly string[];
  readonly present?: string | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsWatchMissingResult {
  readonly watching: boolean;
}

export interface FsWatchParams {
  readonly watchId: string;
  readonly path: string;
  readonly recursive?: boolean | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsWatchResult {
  readonly watchId: string;
}

export interface FsWriteBlockParams {
  readonly handleId: string;
  readonly offset: number;
  readonly chunk: string;
}

export interface FsWriteFileParams {
  readonly path: string;
  readonly dataBase64: string;
  readonly followSymlinks?: boolean | null;
  readonly atomic?: boolean | null;
  readonly append?: boolean | null;
  readonly exclusive?: boolean | null;
  readonly mode?: number | null;
  readonly sandbox?: SandboxContext | null;
}

export interface FsWriteTreeParams {
  readonly path: string;
  readonly entries: readonly TreeEntry[];
  readonly dataBase64: string;
  readonly sandbox?: SandboxContext | null;
}

export type Grant = 'own' | 'observe' | 'denials' | 'files' | 'stop' | 'type' | 'approve';

export interface HttpBodyDeltaNotification {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  readonly error?: string | null;
}

export interface HttpRequestHeader {
  readonly name: string;
  readonly value: string;
  readonly valueEnvVar?: string | null;
}

export interface HttpRequestParams {
  readonly method: string;
  readonly url: string;
  readonly headers?: readonly HttpRequestHeader[] | null;
  readonly bodyBase64?: string | null;
  readonly timeoutMs?: number | null;
  readonly redirectPolicy?: 'follow' | 'stop' | null;
  readonly requestId: string;
  readonly streamResponse?: boolean | null;
}

export interface HttpRequestResult {
  readonly status: number;
  readonly headers: readonly HttpResponseHeader[];
  readonly bodyBase64: string;
}

export interface HttpResponseHeader {
  readonly name: string;
  readonly value: string;
}

export interface InitializeParams {
  readonly clientName: string;
  readonly resumeSessionId?: string | null;
  readonly sessionTtlMs?: number | null;
  readonly lifecycleNotifications?: boolean | null;
  readonly role?: 'owner' | 'observer' | null;
  readonly interventions?: boolean | null;
  readonly binaryPayloads?: boolean | null;
}

export interface InitializeResult {
  readonly sessionId: string;
  readonly environmentInfo?: EnvironmentInfo | null;
  readonly grants?: readonly Grant[] | null;
  readonly reconnectToken?: string | null;
}

export interface InstalledPlugin {
  readonly id: string;
  readonly displayName: string;
  readonly remotePluginId: string | null;
  readonly version: string;
  readonly root: string;
  readonly files: CapabilityPlugin;
  readonly skills: readonly InstalledPluginSkill[];
}

export interface InstalledPluginSkill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription: string | null;
  readonly path: string;
  readonly dependencies: SkillDependencies | null;
  readonly policy: SkillPolicy | null;
}

export interface InstalledSkill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription: string | null;
  readonly path: string;
  readonly dependencies: SkillDependencies | null;
  readonly policy: SkillPolicy | null;
  readonly discoveryRoot: SkillDiscoveryRoot;
}

export type JournalEvent = {
  readonly kind: 'sessionOpened';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly clientName: string;
  readonly identity: string;
} | {
  readonly kind: 'sessionAway';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly expiresAtMs: number;
} | {
  readonly kind: 'sessionResumed';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly clientName: string;
  readonly awayMs: number;
  readonly takenOver: boolean;
} | {
  readonly kind: 'sessionEnded';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly reason: 'left' | 'expired' | 'shutdown';
} | {
  readonly kind: 'processStarted';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly rows?: number | null;
  readonly cols?: number | null;
  readonly sandboxType: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken';
  readonly metadata?: ExecMetadata | null;
} | {
  readonly kind: 'processRefused';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly reason: string;
  readonly metadata?: ExecMetadata | null;
} | {
  readonly kind: 'processExited';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly sandboxDenied: boolean;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
} | {
  readonly kind: 'processLost';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
  readonly reason: string;
} | {
  readonly kind: 'processClosed';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
} | {
  readonly kind: 'processGone';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
} | {
  readonly kind: 'processStalled';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
} | {
  readonly kind: 'processFlowing';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
} | {
  readonly kind: 'ticketShared';
  readonly seq: number;
  readonly atMs: number;
  readonly by: string;
} | {
  readonly kind: 'connectionRefused';
  readonly seq: number;
  readonly atMs: number;
  readonly remoteAddress?: string | null;
  readonly reason: string;
  readonly times?: number | null;
} | {
  readonly kind: 'observerCame';
  readonly seq: number;
  readonly atMs: number;
  readonly observer: number;
  readonly identity: string;
  readonly clientName: string;
  readonly grants: readonly Grant[];
} | {
  readonly kind: 'observerLeft';
  readonly seq: number;
  readonly atMs: number;
  readonly observer: number;
} | {
  readonly kind: 'intervention';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly processId: string;
  readonly what: 'signal' | 'terminate' | 'write' | 'resize';
  readonly by: string;
  readonly observer: number;
  readonly detail?: string | null;
} | {
  readonly kind: 'approvalAsked';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly approval: string;
  readonly title: string;
} | {
  readonly kind: 'approvalEnded';
  readonly seq: number;
  readonly atMs: number;
  readonly session: string;
  readonly approval: string;
  readonly decision: string;
  readonly by?: string | null;
} | {
  readonly kind: 'ticketCreated';
  readonly seq: number;
  readonly atMs: number;
  readonly by: string;
  readonly grants: readonly Grant[];
  readonly expiresAtMs: number;
} | {
  readonly kind: 'ticketSpent';
  readonly seq: number;
  readonly atMs: number;
  readonly by: string;
  readonly remoteAddress?: string | null;
};

export interface JournalEventsNotification {
  readonly events: readonly JournalEvent[];
  readonly omitted?: OmittedEvents | null;
}

export interface JournalReadParams {
  readonly afterSeq?: number | null;
  readonly waitMs?: number | null;
  readonly maxEvents?: number | null;
  readonly session?: string | null;
}

export interface JournalReadResult {
  readonly events: readonly JournalEvent[];
  readonly nextSeq: number;
  readonly omitted?: OmittedEvents | null;
}

export interface JournalSubscribeParams {
  readonly afterSeq?: number | null;
  readonly session?: string | null;
}

export interface JournalSubscribeResult {
  readonly nextSeq: number;
}

export type LegacySandboxPolicy = {
  readonly type: 'danger-full-access';
} | {
  readonly type: 'read-only';
  readonly network_access?: boolean | null;
} | {
  readonly type: 'external-sandbox';
  readonly network_access?: 'restricted' | 'enabled' | null;
} | {
  readonly type: 'workspace-write';
  readonly writable_roots?: readonly string[] | null;
  readonly network_access?: boolean | null;
  readonly exclude_tmpdir_env_var?: boolean | null;
  readonly exclude_slash_tmp?: boolean | null;
} | {
  readonly type: 'dangerFullAccess';
} | {
  readonly type: 'readOnly';
  readonly networkAccess?: boolean | null;
} | {
  readonly type: 'externalSandbox';
  readonly networkAccess?: 'restricted' | 'enabled' | null;
} | {
  readonly type: 'workspaceWrite';
  readonly writableRoots?: readonly string[] | null;
  readonly networkAccess?: boolean | null;
  readonly excludeTmpdirEnvVar?: boolean | null;
  readonly excludeSlashTmp?: boolean | null;
};

export interface NotificationMessage {
  readonly method: string;
  readonly params?: unknown;
}

export interface ObserveAckNotification {
  readonly watch: string;
  readonly seq: number;
}

export interface ObserveCloseParams {
  readonly watch: string;
}

export interface ObserveClosedNotification {
  readonly watch: string;
  readonly seq: number;
  readonly atMs: number;
}

export interface ObserveEndedNotification {
  readonly watch: string;
  readonly reason: 'complete' | 'forgotten' | 'sessionEnded';
}

export interface ObserveExitedNotification {
  readonly watch: string;
  readonly seq: number;
  readonly atMs: number;
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
}

export interface ObserveGapNotification {
  readonly watch: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly bytes: number;
  readonly why: 'evicted' | 'skipped';
}

export interface ObserveOpenParams {
  readonly session: string;
  readonly processId: string;
  readonly watch: string;
  readonly fromSeq?: number | null;
  readonly tailBytes?: number | null;
  readonly mode?: 'complete' | 'latest' | null;
  readonly windowBytes?: number | null;
}

export interface ObserveOpenResult {
  readonly process: ProcessSummary;
  readonly fromSeq: number;
  readonly firstSeq: number;
  readonly nextSeq: number;
  readonly windowBytes: number;
  readonly size?: TerminalResize | null;
  readonly omitted?: OmittedOutput | null;
}

export interface ObserveOutputNotification {
  readonly watch: string;
  readonly seq: number;
  readonly atMs: number;
  readonly stream: 'stdout' | 'stderr' | 'pty';
  readonly chunk: string;
}

export interface ObserveProcessesParams {
  readonly session?: string | null;
}

export interface ObserveProcessesResult {
  readonly processes: readonly ObservedProcess[];
  readonly omitted: number;
}

export interface ObserveReadDirectoryParams {
  readonly session: string;
  readonly processId: string;
  readonly path: string;
}

export interface ObserveReadFileParams {
  readonly session: string;
  readonly processId: string;
  readonly path: string;
  readonly offset?: number | null;
  readonly maxBytes?: number | null;
}

export interface ObserveReadFileResult {
  readonly chunk: string;
  readonly size: number;
  readonly eof: boolean;
}

export interface ObserveReadParams {
  readonly session: string;
  readonly processId: string;
  readonly afterSeq?: number | null;
  readonly maxBytes?: number | null;
}

export interface ObserveReadResult {
  readonly chunks: readonly TimedChunk[];
  readonly nextSeq: number;
  readonly firstSeq: number;
  readonly endSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly sizes: readonly TerminalResize[];
  readonly omitted?: OmittedOutput | null;
}

export interface ObserveResizedNotification {
  readonly watch: string;
  readonly seq: number;
  readonly atMs: number;
  readonly rows: number;
  readonly cols: number;
}

export interface ObserveTreeParams {
  readonly session: string;
  readonly processId: string;
}

export interface ObserveTreeResult {
  readonly known: boolean;
  readonly members: readonly TreeMember[];
  readonly omitted: number;
}

export interface ObservedProcess {
  readonly session: string;
  readonly process: ProcessSummary;
  readonly past?: {
    readonly clientName: string;
    readonly identity: string;
  } | null;
}

export interface ObservedSession {
  readonly session: string;
  readonly clientName: string;
  readonly identity: string;
  readonly state: 'attached' | 'away' | 'ending';
  readonly openedAtMs: number;
  readonly sinceMs: number;
  readonly expiresAtMs?: number | null;
  readonly processes: number;
  readonly running: number;
  readonly stalled: number;
  readonly observers: number;
}

export interface OmittedEvents {
  readonly fromSeq: number;
  readonly toSeq: number;
}

export interface OmittedOutput {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly bytes: number;
}

export interface OutputChunk {
  readonly seq: number;
  readonly stream: 'stdout' | 'stderr' | 'pty';
  readonly chunk: string;
}

export interface PermissionEntry {
  readonly path: PermissionPath;
  readonly access: 'read' | 'write' | 'deny' | 'none';
  readonly missing_path_behavior?: 'skip' | null;
}

export type PermissionPath = {
  readonly type: 'path';
  readonly path: string;
} | {
  readonly type: 'glob_pattern';
  readonly pattern: string;
} | {
  readonly type: 'special';
  readonly value: SpecialPath;
};

export type PermissionProfile = {
  readonly type: 'managed';
  readonly file_system: FileSystemPermissions;
  readonly network: 'restricted' | 'enabled';
} | {
  readonly type: 'disabled';
} | {
  readonly type: 'external';
  readonly network: 'restricted' | 'enabled';
} | {
  readonly type: 'danger-full-access';
} | {
  readonly type: 'read-only';
  readonly network_access?: boolean | null;
} | {
  readonly type: 'external-sandbox';
  readonly network_access?: 'restricted' | 'enabled' | null;
} | {
  readonly type: 'workspace-write';
  readonly writable_roots?: readonly string[] | null;
  readonly network_access?: boolean | null;
  readonly exclude_tmpdir_env_var?: boolean | null;
  readonly exclude_slash_tmp?: boolean | null;
} | {
  readonly type: 'dangerFullAccess';
} | {
  readonly type: 'readOnly';
  readonly networkAccess?: boolean | null;
} | {
  readonly type: 'externalSandbox';
  readonly networkAccess?: 'restricted' | 'enabled' | null;
} | {
  readonly type: 'workspaceWrite';
  readonly writableRoots?: readonly string[] | null;
  readonly networkAccess?: boolean | null;
  readonly excludeTmpdirEnvVar?: boolean | null;
  readonly excludeSlashTmp?: boolean | null;
};

export interface PolicyChange {
  readonly access: 'read' | 'write' | 'network';
  readonly add?: PermissionEntry | null;
  readonly remove?: readonly string[] | null;
  readonly sentence: string;
}

export interface PolicyDecision {
  readonly path: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly decidedBy: 'rule' | 'glob' | 'readOnlyName' | 'systemDirectories' | 'nothing' | 'unrestricted';
  readonly rule?: PolicyRule | null;
  readonly glob?: string | null;
  readonly readOnlyName?: string | null;
  readonly sentence: string;
}

export interface PolicyNode {
  readonly path: string;
  readonly access: 'read' | 'write' | 'deny';
  readonly readOnlyNames?: readonly string[] | null;
  readonly children: readonly number[];
}

export interface PolicyRule {
  readonly path: string;
  readonly access: 'read' | 'write' | 'deny';
}

export interface PreparedExecRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly arg0?: string | null;
  readonly sandboxType?: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken' | null;
}

export interface PreparedStartParams {
  readonly kind: 'prepared';
  readonly processId: string;
  readonly request: PreparedExecRequest;
  readonly io: ProcessIo;
  readonly metadata?: ExecMetadata | null;
}

export interface ProcessCloseStdinParams {
  readonly processId: string;
}

export interface ProcessClosedNotification {
  readonly processId: string;
  readonly seq: number;
}

export interface ProcessExitedNotification {
  readonly processId: string;
  readonly seq: number;
  readonly exitCode: number;
  readonly sandboxDenied?: boolean | null;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
}

export interface ProcessFailedNotification {
  readonly processId: string;
  readonly message: string;
}

export type ProcessIo = {
  readonly type: 'pty';
  readonly rows: number;
  readonly cols: number;
} | {
  readonly type: 'pipe';
  readonly stdin: 'open' | 'closed';
};

export interface ProcessListResult {
  readonly processes: readonly ProcessSummary[];
}

export interface ProcessOutputNotification {
  readonly processId: string;
  readonly seq: number;
  readonly stream: 'stdout' | 'stderr' | 'pty';
  readonly chunk: string;
}

export interface ProcessReadParams {
  readonly processId: string;
  readonly afterSeq?: number | null;
  readonly maxBytes?: number | null;
  readonly waitMs?: number | null;
}

export interface ProcessReadResult {
  readonly chunks: readonly OutputChunk[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly failure: string | null;
  readonly sandboxDenied?: boolean | null;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
  readonly omitted?: OmittedOutput | null;
}

export interface ProcessResizeParams {
  readonly processId: string;
  readonly rows: number;
  readonly cols: number;
}

export type ProcessSignal = 'interrupt' | 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGILL' | 'SIGTRAP' | 'SIGABRT' | 'SIGBUS' | 'SIGFPE' | 'SIGKILL' | 'SIGUSR1' | 'SIGSEGV' | 'SIGUSR2' | 'SIGPIPE' | 'SIGALRM' | 'SIGTERM' | 'SIGCHLD' | 'SIGCONT' | 'SIGSTOP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGXCPU' | 'SIGXFSZ' | 'SIGVTALRM' | 'SIGPROF' | 'SIGWINCH' | 'SIGIO' | 'SIGSYS';

export interface ProcessSignalParams {
  readonly processId: string;
  readonly signal: ProcessSignal;
}

export interface ProcessSnapshotParams {
  readonly processId: string;
}

export interface ProcessSnapshotResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly terminal: string;
  readonly truncated: boolean;
  readonly omittedBytes: number;
  readonly exitCode: number | null;
  readonly running: boolean;
}

export type ProcessStartParams = DirectStartParams | PreparedStartParams;

export interface ProcessStartResult {
  readonly processId: string;
  readonly sandboxType?: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken' | null;
}

export interface ProcessStartedNotification {
  readonly processId: string;
  readonly pid: number;
}

export interface ProcessSummary {
  readonly processId: string;
  readonly pid?: number | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly state: 'starting' | 'running' | 'exited' | 'closed';
  readonly exitCode: number | null;
  readonly startedAtMs?: number | null;
  readonly nextSeq: number;
  readonly firstSeq?: number | null;
  readonly rows?: number | null;
  readonly cols?: number | null;
  readonly sandboxType?: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken' | null;
  readonly sandboxDenied?: boolean | null;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
  readonly endedAtMs?: number | null;
  readonly stalled?: boolean | null;
  readonly alive?: boolean | null;
  readonly metadata?: ExecMetadata | null;
}

export interface ProcessTerminateParams {
  readonly processId: string;
  readonly mode?: TerminateMode | null;
}

export interface ProcessTerminateResult {
  readonly running: boolean;
}

export interface ProcessWaitParams {
  readonly processId: string;
  readonly timeoutMs?: number | null;
  readonly until?: 'exited' | 'closed' | null;
}

export interface ProcessWaitResult {
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly sandboxDenied: boolean;
  readonly denial?: SandboxDenial | null;
  readonly stopped?: SandboxStop | null;
  readonly timedOut: boolean;
}

export interface ProcessWriteParams {
  readonly processId: string;
  readonly chunk: string;
  readonly writeId?: string | null;
}

export interface ProcessWriteResult {
  readonly status: 'accepted' | 'unknownProcess' | 'stdinClosed' | 'starting';
}

export interface RequestMessage {
  readonly id: string | number;
  readonly method: string;
  readonly params?: unknown;
  readonly trace?: TraceContext | null;
}

export interface ResponseMessage {
  readonly id: string | number;
  readonly result: unknown;
}

export interface SandboxContext {
  readonly permissions?: PermissionProfile;
  readonly sandboxPolicy?: LegacySandboxPolicy;
  readonly sandboxOverride?: 'noOverride' | 'escalatedSandboxWithRestrictions' | 'bypassSandboxFirstAttempt' | null;
  readonly cwd?: string | null;
  readonly workspaceRoots?: readonly string[] | null;
  readonly policyContext?: {
    readonly cwd?: string | null;
    readonly workspaceRoots?: readonly string[] | null;
  } | null;
  readonly userHomeDir?: string | null;
  readonly temporaryDirectories?: readonly string[] | null;
  readonly useLegacyLandlock?: boolean | null;
  readonly windowsSandboxLevel?: string | null;
  readonly windowsSandboxPrivateDesktop?: boolean | null;
  readonly windowsSandboxProxySettingsMode?: string | null;
}

export interface SandboxDenial {
  readonly reason: 'operation_not_permitted' | 'permission_denied' | 'read_only_file_system' | 'network_denied' | 'policy_denied' | 'failed_to_write_file' | 'sigsys';
  readonly line: string;
  readonly path?: string | null;
}

export interface SandboxExplainParams {
  readonly session: string;
  readonly processId: string;
  readonly path?: string | null;
  readonly whatIf?: PermissionProfile | null;
}

export interface SandboxExplainResult {
  readonly sandboxType: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken';
  readonly restrictsFiles: boolean;
  readonly network: 'restricted' | 'loopback' | 'enabled';
  readonly sentences: readonly string[];
  readonly nodes: readonly PolicyNode[];
  readonly denyGlobs: readonly string[];
  readonly systemDirectories: boolean;
  readonly denial?: SandboxDenial | null;
  readonly decision?: PolicyDecision | null;
  readonly changes: readonly PolicyChange[];
}

export interface SandboxStop {
  readonly reason: 'protection_lost';
  readonly path: string;
}

export interface SessionInterventionNotification {
  readonly processId: string;
  readonly what: 'signal' | 'terminate' | 'write' | 'resize';
  readonly by: string;
}

export interface SessionObservedNotification {
  readonly observers: number;
}

export interface SessionsListResult {
  readonly sessions: readonly ObservedSession[];
}

export interface ShellInfo {
  readonly name: string;
  readonly path: string;
}

export interface ShellSnapshot {
  readonly scopeId: string;
  readonly shell: ShellInfo;
}

export interface SkillDependencies {
  readonly tools: readonly SkillToolDependency[];
}

export interface SkillDiscoveryRoot {
  readonly id: string;
  readonly path: string;
}

export interface SkillPolicy {
  readonly allowImplicitInvocation: boolean | null;
  readonly products: readonly ('codex' | 'chatgpt' | 'atlas')[];
}

export interface SkillToolDependency {
  readonly type: string;
  readonly value: string;
  readonly description: string | null;
  readonly transport: string | null;
  readonly command: string | null;
  readonly url: string | null;
  readonly oauthCallbackPort: number | null;
}

export interface SkippedTreeEntry {
  readonly path: string;
  readonly why: 'notAFile' | 'linkLeadsOut' | 'denied' | 'nameIsNotText' | 'tooDeep';
}

export type SpecialPath = {
  readonly kind: 'root';
} | {
  readonly kind: 'minimal';
} | {
  readonly kind: 'current_working_directory';
  readonly subpath?: string | null;
} | {
  readonly kind: 'project_roots';
  readonly subpath?: string | null;
} | {
  readonly kind: 'tmpdir';
} | {
  readonly kind: 'slash_tmp';
} | {
  readonly kind: 'unknown';
  readonly path: string;
  readonly subpath?: string | null;
};

export interface TerminalResize {
  readonly seq: number;
  readonly atMs: number;
  readonly rows: number;
  readonly cols: number;
}

export type TerminateMode = {
  readonly type: 'graceful';
  readonly timeoutMs: number;
} | {
  readonly type: 'force';
} | {
  readonly type: 'tree';
};

export interface TimedChunk {
  readonly seq: number;
  readonly atMs: number;
  readonly stream: 'stdout' | 'stderr' | 'pty';
  readonly chunk: string;
}

export interface TraceContext {
  readonly traceparent?: string | null;
  readonly tracestate?: string | null;
}

export interface TreeCursor {
  readonly path: string;
  readonly offset: number;
}

export interface TreeEntry {
  readonly path: string;
  readonly kind: 'directory' | 'file' | 'link';
  readonly mode?: number;
  readonly modifiedAtMs?: number;
  readonly target?: string;
  readonly size?: number;
  readonly offset?: number;
  readonly length?: number;
  readonly partial?: string;
  readonly file?: string;
  readonly version?: string;
}

export interface TreeMember {
  readonly pid: number;
  readonly parentPid: number;
  readonly argv: readonly string[];
  readonly state: 'running' | 'sleeping' | 'waiting' | 'stopped' | 'other';
  readonly cpuMs: number;
  readonly residentBytes: number;
}

export interface WalkEntry {
  readonly path: string;
  readonly kind: 'directory' | 'file';
}

export interface WalkError {
  readonly path: string;
  readonly message: string;
}

export interface WalkOptions {
  readonly maxDepth: number;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly followDirectorySymlinks: boolean;
  readonly pruneHiddenDirectories?: boolean | null;
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface WireMethods {
  readonly 'initialize': { readonly params: InitializeParams; readonly result: InitializeResult };
  readonly 'initialized': { readonly params: unknown; readonly result: never };
  readonly 'environment/info': { readonly params: null; readonly result: EnvironmentInfo };
  readonly 'environment/status': { readonly params: null; readonly result: EnvironmentStatus };
  readonly 'environmentConfig/read': { readonly params: EnvironmentConfigReadParams; readonly result: EnvironmentConfigReadResult };
  readonly 'process/start': { readonly params: ProcessStartParams; readonly result: ProcessStartResult };
  readonly 'process/read': { readonly params: ProcessReadParams; readonly result: ProcessReadResult };
  readonly 'process/write': { readonly params: ProcessWriteParams; readonly result: ProcessWriteResult };
  readonly 'process/closeStdin': { readonly params: ProcessCloseStdinParams; readonly result: EmptyResult };
  readonly 'process/resize': { readonly params: ProcessResizeParams; readonly result: EmptyResult };
  readonly 'process/signal': { readonly params: ProcessSignalParams; readonly result: EmptyResult };
  readonly 'process/terminate': { readonly params: ProcessTerminateParams; readonly result: ProcessTerminateResult };
  readonly 'process/wait': { readonly params: ProcessWaitParams; readonly result: ProcessWaitResult };
  readonly 'process/snapshot': { readonly params: ProcessSnapshotParams; readonly result: ProcessSnapshotResult };
  readonly 'process/list': { readonly params: null; readonly result: ProcessListResult };
  readonly 'process/output': { readonly params: ProcessOutputNotification; readonly result: never };
  readonly 'process/exited': { readonly params: ProcessExitedNotification; readonly result: never };
  readonly 'process/closed': { readonly params: ProcessClosedNotification; readonly result: never };
  readonly 'process/started': { readonly params: ProcessStartedNotification; readonly result: never };
  readonly 'process/failed': { readonly params: ProcessFailedNotification; readonly result: never };
  readonly 'fs/readFile': { readonly params: FsReadFileParams; readonly result: FsReadFileResult };
  readonly 'fs/writeFile': { readonly params: FsWriteFileParams; readonly result: EmptyResult };
  readonly 'fs/open': { readonly params: FsOpenParams; readonly result: FsOpenResult };
  readonly 'fs/readBlock': { readonly params: FsReadBlockParams; readonly result: FsReadBlockResult };
  readonly 'fs/writeBlock': { readonly params: FsWriteBlockParams; readonly result: EmptyResult };
  readonly 'fs/close': { readonly params: FsCloseParams; readonly result: EmptyResult };
  readonly 'fs/createDirectory': { readonly params: FsCreateDirectoryParams; readonly result: EmptyResult };
  readonly 'fs/getMetadata': { readonly params: FsGetMetadataParams; readonly result: FsGetMetadataResult };
  readonly 'fs/canonicalize': { readonly params: FsCanonicalizeParams; readonly result: FsCanonicalizeResult };
  readonly 'fs/readDirectory': { readonly params: FsReadDirectoryParams; readonly result: FsReadDirectoryResult };
  readonly 'fs/walk': { readonly params: FsWalkParams; readonly result: FsWalkResult };
  readonly 'fs/remove': { readonly params: FsRemoveParams; readonly result: EmptyResult };
  readonly 'fs/copy': { readonly params: FsCopyParams; readonly result: EmptyResult };
  readonly 'fs/rename': { readonly params: FsRenameParams; readonly result: EmptyResult };
  readonly 'fs/writeTree': { readonly params: FsWriteTreeParams; readonly result: EmptyResult };
  readonly 'fs/readTree': { readonly params: FsReadTreeParams; readonly result: FsReadTreeResult };
  readonly 'fs/watch': { readonly params: FsWatchParams; readonly result: FsWatchResult };
  readonly 'fs/unwatch': { readonly params: FsUnwatchParams; readonly result: EmptyResult };
  readonly 'fs/changed': { readonly params: FsChangedNotification; readonly result: never };
  readonly 'fs/watchMissing': { readonly params: FsWatchMissingParams; readonly result: FsWatchMissingResult };
  readonly 'fs/missingChanged': { readonly params: FsMissingChangedNotification; readonly result: never };
  readonly 'capabilityRoots/discoverV1': { readonly params: CapabilityRootsDiscoverParams; readonly result: CapabilityRootsDiscoverResult };
  readonly 'capabilities/discoverV2': { readonly params: CapabilitiesDiscoverV2Params; readonly result: CapabilitiesDiscoverV2Result };
  readonly 'http/request': { readonly params: HttpRequestParams; readonly result: HttpRequestResult };
  readonly 'http/request/bodyDelta': { readonly params: HttpBodyDeltaNotification; readonly result: never };
  readonly 'sessions/list': { readonly params: null; readonly result: SessionsListResult };
  readonly 'observe/processes': { readonly params: ObserveProcessesParams; readonly result: ObserveProcessesResult };
  readonly 'observe/open': { readonly params: ObserveOpenParams; readonly result: ObserveOpenResult };
  readonly 'observe/close': { readonly params: ObserveCloseParams; readonly result: EmptyResult };
  readonly 'observe/ack': { readonly params: ObserveAckNotification; readonly result: never };
  readonly 'observe/read': { readonly params: ObserveReadParams; readonly result: ObserveReadResult };
  readonly 'observe/tree': { readonly params: ObserveTreeParams; readonly result: ObserveTreeResult };
  readonly 'observe/output': { readonly params: ObserveOutputNotification; readonly result: never };
  readonly 'observe/gap': { readonly params: ObserveGapNotification; readonly result: never };
  readonly 'observe/resized': { readonly params: ObserveResizedNotification; readonly result: never };
  readonly 'observe/exited': { readonly params: ObserveExitedNotification; readonly result: never };
  readonly 'observe/closed': { readonly params: ObserveClosedNotification; readonly result: never };
  readonly 'observe/ended': { readonly params: ObserveEndedNotification; readonly result: never };
  readonly 'observe/readDirectory': { readonly params: ObserveReadDirectoryParams; readonly result: FsReadDirectoryResult };
  readonly 'observe/readFile': { readonly params: ObserveReadFileParams; readonly result: ObserveReadFileResult };
  readonly 'journal/read': { readonly params: JournalReadParams; readonly result: JournalReadResult };
  readonly 'journal/subscribe': { readonly params: JournalSubscribeParams; readonly result: JournalSubscribeResult };
  readonly 'journal/unsubscribe': { readonly params: null; readonly result: EmptyResult };
  readonly 'journal/events': { readonly params: JournalEventsNotification; readonly result: never };
  readonly 'sandbox/explain': { readonly params: SandboxExplainParams; readonly result: SandboxExplainResult };
  readonly 'control/signal': { readonly params: ControlSignalParams; readonly result: EmptyResult };
  readonly 'control/terminate': { readonly params: ControlTerminateParams; readonly result: ProcessTerminateResult };
  readonly 'control/write': { readonly params: ControlWriteParams; readonly result: ProcessWriteResult };
  readonly 'control/resize': { readonly params: ControlResizeParams; readonly result: EmptyResult };
  readonly 'session/observed': { readonly params: SessionObservedNotification; readonly result: never };
  readonly 'session/intervention': { readonly params: SessionInterventionNotification; readonly result: never };
  readonly 'approvals/ask': { readonly params: ApprovalsAskParams; readonly result: ApprovalsAskResult };
  readonly 'approvals/withdraw': { readonly params: ApprovalsWithdrawParams; readonly result: EmptyResult };
  readonly 'approvals/list': { readonly params: null; readonly result: ApprovalsListResult };
  readonly 'approvals/decide': { readonly params: ApprovalsDecideParams; readonly result: ApprovalsDecideResult };
  readonly 'approvals/changed': { readonly params: ApprovalsChangedNotification; readonly result: never };
  readonly 'console/createTicket': { readonly params: ConsoleCreateTicketParams; readonly result: ConsoleCreateTicketResult };
  readonly 'console/shareTicket': { readonly params: null; readonly result: ConsoleShareTicketResult };
}
