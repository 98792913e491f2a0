// The descriptors of the methods: everything that the protocol says of one stands in its row. Only the generator and
// tests read them: at run time the generated method table and validators stand in their place.
import type { Static, TSchema } from '@sinclair/typebox';
import type { MethodFamily } from '../method-family.js';
import { CapabilityRootsDiscoverParams, CapabilityRootsDiscoverResult } from './capability.js';
import { CapabilitiesDiscoverV2Params, CapabilitiesDiscoverV2Result } from './capability-discovery-v2.js';
import { type EnvironmentCapabilities, EnvironmentInfo, EnvironmentStatus } from './environment.js';
import { EnvironmentConfigReadParams, EnvironmentConfigReadResult } from './environment-config.js';
import * as fsContent from './fs-content.js';
import * as fsTree from './fs-tree.js';
import * as fsWatch from './fs-watch.js';
import * as http from './http.js';
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
  /** The member of the params that holds base64: a long one is decoded from the received bytes and becomes no string. */
  readonly payload?: string;
  /** The flag with which a server announces the method; absent for those that every server has. */
  readonly capability?: CapabilityFlag;
}

type CapabilityFlag = keyof Static<typeof EnvironmentCapabilities>;

interface More<Params> {
  readonly payload?: Params extends TSchema ? keyof Static<Params> & string : never;
  readonly capability?: CapabilityFlag;
}

const request = <
  const Family extends MethodFamily,
  const Params extends ParamsSchema,
  Result extends TSchema,
  const Extra extends More<Params>,
>(
  family: Family,
  params: Params,
  result: Result,
  extra: Extra = {} as Extra,
) => ({ direction: 'clientToServer' as const, family, params, result, ...extra });

const event = <
  const Family extends MethodFamily,
  Params extends TSchema,
  const Extra extends Pick<More<Params>, 'capability'>,
>(
  family: Family,
  params: Params,
  extra: Extra = {} as Extra,
) => ({ direction: 'serverToClient' as const, family, params, ...extra });

export const METHOD_DESCRIPTORS = {
  initialize: request('session', InitializeParams, InitializeResult),
  initialized: { direction: 'clientToServer', family: 'session', params: 'any' },
  'environment/info': request('environment info', 'none', EnvironmentInfo),
  'environment/status': request('environment status', 'none', EnvironmentStatus),
  'environmentConfig/read': request(
    'environment config',
    EnvironmentConfigReadParams,
    EnvironmentConfigReadResult,
    { capability: 'environmentConfigRead' },
  ),
  'process/start': request('exec', start.ProcessStartParams, start.ProcessStartResult),
  'process/read': request('exec', io.ProcessReadParams, io.ProcessReadResult),
  'process/write': request('exec', io.ProcessWriteParams, io.ProcessWriteResult),
  'process/closeStdin': request('exec', io.ProcessCloseStdinParams, EmptyResult, {
    capability: 'processCloseStdin',
  }),
  'process/resize': request('exec', io.ProcessResizeParams, EmptyResult, { capability: 'processResize' }),
  'process/signal': request('exec', control.ProcessSignalParams, EmptyResult),
  'process/terminate': request('exec', control.ProcessTerminateParams, control.ProcessTerminateResult),
  'process/wait': request('exec', control.ProcessWaitParams, control.ProcessWaitResult, {
    capability: 'processWait',
  }),
  'process/snapshot': request('exec', control.ProcessSnapshotParams, control.ProcessSnapshotResult, {
    capability: 'processSnapshot',
  }),
  'process/list': request('exec', 'none', control.ProcessListResult, { capability: 'processList' }),
  'process/output': event('exec', events.ProcessOutputNotification),
  'process/exited': event('exec', events.ProcessExitedNotification),
  'process/closed': event('exec', events.ProcessClosedNotification),
  'process/started': event('exec', events.ProcessStartedNotification, {
    capability: 'lifecycleNotifications',
  }),
  'process/failed': event('exec', events.ProcessFailedNotification, { capability: 'lifecycleNotifications' }),
  'fs/readFile': request('filesystem', fsContent.FsReadFileParams, fsContent.FsReadFileResult),
  'fs/writeFile': request('filesystem', fsContent.FsWriteFileParams, EmptyResult, { payload: 'dataBase64' }),
  'fs/open': request('filesystem', fsContent.FsOpenParams, fsContent.FsOpenResult),
  'fs/readBlock': request('filesystem', fsContent.FsReadBlockParams, fsContent.FsReadBlockResult),
  'fs/writeBlock': request('filesystem', fsContent.FsWriteBlockParams, EmptyResult, {
    capability: 'fileWriteStreaming',
    payload: 'chunk',
  }),
  'fs/close': request('filesystem', fsContent.FsCloseParams, EmptyResult),
  'fs/createDirectory': request('filesystem', fsTree.FsCreateDirectoryParams, EmptyResult),
  'fs/getMetadata': request('filesystem', fsTree.FsGetMetadataParams, fsTree.FsGetMetadataResult),
  'fs/canonicalize': request('filesystem', fsTree.FsCanonicalizeParams, fsTree.FsCanonicalizeResult),
  'fs/readDirectory': request('filesystem', fsTree.FsReadDirectoryParams, fsTree.FsReadDirectoryResult),
  'fs/walk': request('filesystem', fsTree.FsWalkParams, fsTree.FsWalkResult),
  'fs/remove': request('filesystem', fsTree.FsRemoveParams, EmptyResult),
  'fs/copy': request('filesystem', fsTree.FsCopyParams, EmptyResult),
  'fs/rename': request('filesystem', fsTree.FsRenameParams, EmptyResult, { capability: 'fsRename' }),
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
  'http/request': request('http', http.HttpRequestParams, http.HttpRequestResult),
  'http/request/bodyDelta': event('http', http.HttpBodyDeltaNotification),
} as const satisfies Record<string, MethodDescriptor>;

export type MethodName = keyof typeof METHOD_DESCRIPTORS;
