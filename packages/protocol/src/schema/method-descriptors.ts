// The descriptors of the methods: everything that the protocol says of one stands in its row. Only the generator and
// tests read them: at run time the generated method table and validators stand in their place.
import type { Static, TSchema } from '@sinclair/typebox';
import type { MethodFamily } from '../method-family.js';
import { CapabilityRootsDiscoverParams, CapabilityRootsDiscoverResult } from './capability.js';
import { CapabilitiesDiscoverV2Params, CapabilitiesDiscoverV2Result } from './capability-discovery-v2.js';
import { type EnvironmentCapabilities, EnvironmentInfo, EnvironmentStatus } from './environment.js';
import { EnvironmentConfigReadParams, EnvironmentConfigReadResult } from './environment-config.js';
import * as fsContent from './fs-content.js';
import * as fsTransfer from './fs-transfer.js';
import * as fsTree from './fs-tree.js';
import * as fsWatch from './fs-watch.js';
import * as http from './http.js';
import * as approvals from './observe/approvals.js';
import {
  ConsoleCreateTicketParams,
  ConsoleCreateTicketResult,
  ConsoleShareTicketResult,
} from './observe/console.js';
import * as journal from './observe/journal.js';
import * as observe from './observe/observe.js';
import * as observeFiles from './observe/observe-files.js';
import { SandboxExplainParams, SandboxExplainResult } from './observe/sandbox-explain.js';
import { Empty, named } from './primitives.js';
import * as control from './process/process-control.js';
import * as events from './process/process-events.js';
import * as io from './process/process-io.js';
import * as start from './process/process-start.js';
import { InitializeParams, InitializeResult } from './session.js';
import * as watchMissing from './watch-missing.js';

export const EmptyResult = named('EmptyResult', Empty);

/** `none`: absent, null and {} are equal and nothing else is accepted; `any`: whatever it is, it is ignored. */
export type ParamsSchema = TSchema | 'none' | 'any';

export interface MethodDescriptor {
  readonly direction: 'clientToServer' | 'serverToClient';
  /** As in "client must call initialize before using <family> methods". */
  readonly family: MethodFamily;
  readonly params: ParamsSchema;
  /** Absent for a notification. */
  readonly result?: TSchema;
  /** The member of the params that holds bytes: base64 in a text message, raw behind a binary one. */
  readonly payload?: string;
  /** The same of the result. `list[].name` is the member `name` of each element of `list`. */
  readonly resultPayloads?: readonly string[];
  /** The flag with which a server announces the method; absent for those that every server has. */
  readonly capability?: CapabilityFlag;
  /** What a connection must have been granted to send it; absent is `own`, `anyone` asks for nothing. */
  readonly grant?: RequiredGrant;
  /** It changes something: files, a command, a decision, what others see of the world. */
  readonly changes?: true;
}

export type RequiredGrant = Static<typeof observe.Grant> | 'anyone';

type CapabilityFlag = keyof Static<typeof EnvironmentCapabilities>;

type PayloadPath<Value> = {
  [Name in keyof Value & string]: Value[Name] extends readonly (infer Element)[]
    ? `${Name}[].${keyof Element & string}`
    : Name;
}[keyof Value & string];

interface More<Params, Result = unknown> {
  readonly payload?: Params extends TSchema ? keyof Static<Params> & string : never;
  readonly resultPayloads?: Result extends TSchema ? readonly PayloadPath<Static<Result>>[] : never;
  readonly capability?: CapabilityFlag;
  readonly grant?: RequiredGrant;
  readonly changes?: true;
}

const request = <
  const Family extends MethodFamily,
  const Params extends ParamsSchema,
  Result extends TSchema,
  const Extra extends More<Params, Result>,
>(
  family: Family,
  params: Params,
  result: Result,
  extra: Extra = {} as Extra,
) => ({ direction: 'clientToServer' as const, family, params, result, ...extra });

const event = <
  const Family extends MethodFamily,
  Params extends TSchema,
  const Extra extends Pick<More<Params>, 'capability' | 'payload'>,
>(
  family: Family,
  params: Params,
  extra: Extra = {} as Extra,
) => ({ direction: 'serverToClient' as const, family, params, ...extra });

const OBSERVED = { capability: 'sessionObserve' } as const;
const OBSERVE = { ...OBSERVED, grant: 'observe' } as const;
const JOURNAL = { capability: 'sessionJournal', grant: 'observe' } as const;
const STOP = { capability: 'sessionControl', grant: 'stop', changes: true } as const;
const TYPE = { capability: 'sessionControl', grant: 'type', changes: true } as const;

export const METHOD_DESCRIPTORS = {
  initialize: request('session', InitializeParams, InitializeResult, { grant: 'anyone' }),
  initialized: { direction: 'clientToServer', family: 'session', params: 'any', grant: 'anyone' },
  'environment/info': request('environment info', 'none', EnvironmentInfo, { grant: 'anyone' }),
  'environment/status': request('environment status', 'none', EnvironmentStatus, { grant: 'anyone' }),
  'environmentConfig/read': request(
    'environment config',
    EnvironmentConfigReadParams,
    EnvironmentConfigReadResult,
    { capability: 'environmentConfigRead' },
  ),
  'process/start': request('exec', start.ProcessStartParams, start.ProcessStartResult, { changes: true }),
  'process/read': request('exec', io.ProcessReadParams, io.ProcessReadResult, {
    resultPayloads: ['chunks[].chunk'],
  }),
  'process/write': request('exec', io.ProcessWriteParams, io.ProcessWriteResult, {
    changes: true,
    payload: 'chunk',
  }),
  'process/closeStdin': request('exec', io.ProcessCloseStdinParams, EmptyResult, {
    changes: true,
    capability: 'processCloseStdin',
  }),
  'process/resize': request('exec', io.ProcessResizeParams, EmptyResult, {
    changes: true,
    capability: 'processResize',
  }),
  'process/signal': request('exec', control.ProcessSignalParams, EmptyResult, { changes: true }),
  'process/terminate': request('exec', control.ProcessTerminateParams, control.ProcessTerminateResult, {
    changes: true,
  }),
  'process/wait': request('exec', control.ProcessWaitParams, control.ProcessWaitResult, {
    capability: 'processWait',
  }),
  'process/snapshot': request('exec', control.ProcessSnapshotParams, control.ProcessSnapshotResult, {
    capability: 'processSnapshot',
    resultPayloads: ['stdout', 'stderr', 'terminal'],
  }),
  'process/list': request('exec', 'none', control.ProcessListResult, { capability: 'processList' }),
  'process/output': event('exec', events.ProcessOutputNotification, { payload: 'chunk' }),
  'process/exited': event('exec', events.ProcessExitedNotification),
  'process/closed': event('exec', events.ProcessClosedNotification),
  'process/started': event('exec', events.ProcessStartedNotification, {
    capability: 'lifecycleNotifications',
  }),
  'process/failed': event('exec', events.ProcessFailedNotification, { capability: 'lifecycleNotifications' }),
  'fs/readFile': request('filesystem', fsContent.FsReadFileParams, fsContent.FsReadFileResult, {
    resultPayloads: ['dataBase64'],
  }),
  'fs/writeFile': request('filesystem', fsContent.FsWriteFileParams, EmptyResult, {
    changes: true,
    payload: 'dataBase64',
  }),
  'fs/open': request('filesystem', fsContent.FsOpenParams, fsContent.FsOpenResult, { changes: true }),
  'fs/readBlock': request('filesystem', fsContent.FsReadBlockParams, fsContent.FsReadBlockResult, {
    resultPayloads: ['chunk'],
  }),
  'fs/writeBlock': request('filesystem', fsContent.FsWriteBlockParams, EmptyResult, {
    changes: true,
    capability: 'fileWriteStreaming',
    payload: 'chunk',
  }),
  'fs/close': request('filesystem', fsContent.FsCloseParams, EmptyResult),
  'fs/createDirectory': request('filesystem', fsTree.FsCreateDirectoryParams, EmptyResult, { changes: true }),
  'fs/getMetadata': request('filesystem', fsTree.FsGetMetadataParams, fsTree.FsGetMetadataResult),
  'fs/canonicalize': request('filesystem', fsTree.FsCanonicalizeParams, fsTree.FsCanonicalizeResult),
  'fs/readDirectory': request('filesystem', fsTree.FsReadDirectoryParams, fsTree.FsReadDirectoryResult),
  'fs/walk': request('filesystem', fsTree.FsWalkParams, fsTree.FsWalkResult),
  'fs/remove': request('filesystem', fsTree.FsRemoveParams, EmptyResult, { changes: true }),
  'fs/copy': request('filesystem', fsTree.FsCopyParams, EmptyResult, { changes: true }),
  'fs/rename': request('filesystem', fsTree.FsRenameParams, EmptyResult, {
    changes: true,
    capability: 'fsRename',
  }),
  'fs/writeTree': request('filesystem', fsTransfer.FsWriteTreeParams, EmptyResult, {
    changes: true,
    capability: 'fileTrees',
    payload: 'dataBase64',
  }),
  'fs/readTree': request('filesystem', fsTransfer.FsReadTreeParams, fsTransfer.FsReadTreeResult, {
    capability: 'fileTrees',
    resultPayloads: ['dataBase64'],
  }),
  'fs/watch': request('filesystem', fsWatch.FsWatchParams, fsWatch.FsWatchResult, { capability: 'fsWatch' }),
  'fs/unwatch': request('filesystem', fsWatch.FsUnwatchParams, EmptyResult, { capability: 'fsWatch' }),
  'fs/changed': event('filesystem', fsWatch.FsChangedNotification, { capability: 'fsWatch' }),
  'fs/watchMissing': request(
    'filesystem',
    watchMissing.FsWatchMissingParams,
    watchMissing.FsWatchMissingResult,
    { capability: 'fsWatchMissing' },
  ),
  'fs/missingChanged': event('filesystem', watchMissing.FsMissingChangedNotification, {
    capability: 'fsWatchMissing',
  }),
  'capabilityRoots/discoverV1': request(
    'capability discovery',
    CapabilityRootsDiscoverParams,
    CapabilityRootsDiscoverResult,
  ),
  'capabilities/discoverV2': request(
    'capability discovery',
    CapabilitiesDiscoverV2Params,
    CapabilitiesDiscoverV2Result,
    { capability: 'capabilityDiscoveryV2' },
  ),
  'http/request': request('http', http.HttpRequestParams, http.HttpRequestResult, {
    payload: 'bodyBase64',
    changes: true,
    resultPayloads: ['bodyBase64'],
  }),
  'http/request/bodyDelta': event('http', http.HttpBodyDeltaNotification, { payload: 'deltaBase64' }),
  'sessions/list': request('observer', 'none', observe.SessionsListResult, OBSERVE),
  'observe/processes': request(
    'observer',
    observe.ObserveProcessesParams,
    observe.ObserveProcessesResult,
    OBSERVE,
  ),
  'observe/open': request('observer', observe.ObserveOpenParams, observe.ObserveOpenResult, OBSERVE),
  'observe/close': request('observer', observe.ObserveCloseParams, EmptyResult, OBSERVE),
  'observe/ack': {
    direction: 'clientToServer',
    family: 'observer',
    params: observe.ObserveAckNotification,
    ...OBSERVE,
  },
  'observe/read': request('observer', observe.ObserveReadParams, observe.ObserveReadResult, {
    ...OBSERVE,
    resultPayloads: ['chunks[].chunk'],
  }),
  'observe/tree': request('observer', observe.ObserveTreeParams, observe.ObserveTreeResult, OBSERVE),
  'observe/output': event('observer', observe.ObserveOutputNotification, { ...OBSERVED, payload: 'chunk' }),
  'observe/gap': event('observer', observe.ObserveGapNotification, OBSERVED),
  'observe/resized': event('observer', observe.ObserveResizedNotification, OBSERVED),
  'observe/exited': event('observer', observe.ObserveExitedNotification, OBSERVED),
  'observe/closed': event('observer', observe.ObserveClosedNotification, OBSERVED),
  'observe/ended': event('observer', observe.ObserveEndedNotification, OBSERVED),
  'observe/readDirectory': request(
    'observer',
    observeFiles.ObserveReadDirectoryParams,
    fsTree.FsReadDirectoryResult,
    { capability: 'observeFiles', grant: 'files' },
  ),
  'observe/readFile': request(
    'observer',
    observeFiles.ObserveReadFileParams,
    observeFiles.ObserveReadFileResult,
    { capability: 'observeFiles', grant: 'files', resultPayloads: ['chunk'] },
  ),
  'journal/read': request('journal', journal.JournalReadParams, journal.JournalReadResult, JOURNAL),
  'journal/subscribe': request(
    'journal',
    journal.JournalSubscribeParams,
    journal.JournalSubscribeResult,
    JOURNAL,
  ),
  'journal/unsubscribe': request('journal', 'none', EmptyResult, JOURNAL),
  'journal/events': event('journal', journal.JournalEventsNotification, { capability: 'sessionJournal' }),
  'sandbox/explain': request('observer', SandboxExplainParams, SandboxExplainResult, {
    capability: 'sandboxExplain',
    grant: 'denials',
  }),
  'control/signal': request('control', observe.ControlSignalParams, EmptyResult, STOP),
  'control/terminate': request(
    'control',
    observe.ControlTerminateParams,
    control.ProcessTerminateResult,
    STOP,
  ),
  'control/write': request('control', observe.ControlWriteParams, io.ProcessWriteResult, TYPE),
  'control/resize': request('control', observe.ControlResizeParams, EmptyResult, TYPE),
  'session/observed': event('session', observe.SessionObservedNotification, OBSERVED),
  'session/intervention': event('session', observe.SessionInterventionNotification, {
    capability: 'sessionControl',
  }),
  'approvals/ask': request('approval', approvals.ApprovalsAskParams, approvals.ApprovalsAskResult, {
    capability: 'approvals',
    changes: true,
  }),
  'approvals/withdraw': request('approval', approvals.ApprovalsWithdrawParams, EmptyResult, {
    capability: 'approvals',
    changes: true,
  }),
  'approvals/list': request('approval', 'none', approvals.ApprovalsListResult, {
    capability: 'approvals',
    grant: 'approve',
  }),
  'approvals/decide': request('approval', approvals.ApprovalsDecideParams, approvals.ApprovalsDecideResult, {
    capability: 'approvals',
    grant: 'approve',
    changes: true,
  }),
  'approvals/changed': event('approval', approvals.ApprovalsChangedNotification, { capability: 'approvals' }),
  'console/createTicket': request('console', ConsoleCreateTicketParams, ConsoleCreateTicketResult, {
    capability: 'consoleTickets',
    changes: true,
  }),
  'console/shareTicket': request('console', 'none', ConsoleShareTicketResult, {
    capability: 'consoleTickets',
    grant: 'observe',
  }),
} as const satisfies Record<string, MethodDescriptor>;

export type MethodName = keyof typeof METHOD_DESCRIPTORS;
