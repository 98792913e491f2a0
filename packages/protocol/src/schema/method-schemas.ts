// Which schema belongs to which method. Only the generator and tests read it: at run time the generated
// validators stand in its place.
import type { TSchema } from '@sinclair/typebox';
import { CapabilityRootsDiscoverParams, CapabilityRootsDiscoverResult } from './capability.js';
import { CapabilitiesDiscoverV2Params, CapabilitiesDiscoverV2Result } from './capability-discovery-v2.js';
import { EnvironmentInfo, EnvironmentStatus } from './environment.js';
import { EnvironmentConfigReadParams, EnvironmentConfigReadResult } from './environment-config.js';
import * as fsContent from './fs-content.js';
import * as fsTree from './fs-tree.js';
import * as fsWatch from './fs-watch.js';
import * as http from './http.js';
import { Empty, named } from './primitives.js';
import * as control from './process-control.js';
import * as events from './process-events.js';
import * as io from './process-io.js';
import * as start from './process-start.js';
import { InitializeParams, InitializeResult } from './session.js';
import * as watchMissing from './watch-missing.js';

export const EmptyResult = named('EmptyResult', Empty);

/** `none`: absent, null and {} are equal and nothing else is accepted; `any`: whatever it is, it is ignored. */
export type ParamsSchema = TSchema | 'none' | 'any';

export interface MethodSchemas {
  readonly params: ParamsSchema;
  /** Absent for a notification. */
  readonly result?: TSchema;
}

export const METHOD_SCHEMAS = {
  initialize: { params: InitializeParams, result: InitializeResult },
  initialized: { params: 'any' },
  'environment/info': { params: 'none', result: EnvironmentInfo },
  'environment/status': { params: 'none', result: EnvironmentStatus },
  'environmentConfig/read': { params: EnvironmentConfigReadParams, result: EnvironmentConfigReadResult },
  'process/start': { params: start.ProcessStartParams, result: start.ProcessStartResult },
  'process/read': { params: io.ProcessReadParams, result: io.ProcessReadResult },
  'process/write': { params: io.ProcessWriteParams, result: io.ProcessWriteResult },
  'process/closeStdin': { params: io.ProcessCloseStdinParams, result: EmptyResult },
  'process/resize': { params: io.ProcessResizeParams, result: EmptyResult },
  'process/signal': { params: control.ProcessSignalParams, result: EmptyResult },
  'process/terminate': { params: control.ProcessTerminateParams, result: control.ProcessTerminateResult },
  'process/wait': { params: control.ProcessWaitParams, result: control.ProcessWaitResult },
  'process/snapshot': { params: control.ProcessSnapshotParams, result: control.ProcessSnapshotResult },
  'process/list': { params: 'none', result: control.ProcessListResult },
  'process/output': { params: events.ProcessOutputNotification },
  'process/exited': { params: events.ProcessExitedNotification },
  'process/closed': { params: events.ProcessClosedNotification },
  'process/started': { params: events.ProcessStartedNotification },
  'process/failed': { params: events.ProcessFailedNotification },
  'fs/readFile': { params: fsContent.FsReadFileParams, result: fsContent.FsReadFileResult },
  'fs/writeFile': { params: fsContent.FsWriteFileParams, result: EmptyResult },
  'fs/open': { params: fsContent.FsOpenParams, result: fsContent.FsOpenResult },
  'fs/readBlock': { params: fsContent.FsReadBlockParams, result: fsContent.FsReadBlockResult },
  'fs/writeBlock': { params: fsContent.FsWriteBlockParams, result: EmptyResult },
  'fs/close': { params: fsContent.FsCloseParams, result: EmptyResult },
  'fs/createDirectory': { params: fsTree.FsCreateDirectoryParams, result: EmptyResult },
  'fs/getMetadata': { params: fsTree.FsGetMetadataParams, result: fsTree.FsGetMetadataResult },
  'fs/canonicalize': { params: fsTree.FsCanonicalizeParams, result: fsTree.FsCanonicalizeResult },
  'fs/readDirectory': { params: fsTree.FsReadDirectoryParams, result: fsTree.FsReadDirectoryResult },
  'fs/walk': { params: fsTree.FsWalkParams, result: fsTree.FsWalkResult },
  'fs/remove': { params: fsTree.FsRemoveParams, result: EmptyResult },
  'fs/copy': { params: fsTree.FsCopyParams, result: EmptyResult },
  'fs/rename': { params: fsTree.FsRenameParams, result: EmptyResult },
  'fs/watch': { params: fsWatch.FsWatchParams, result: fsWatch.FsWatchResult },
  'fs/unwatch': { params: fsWatch.FsUnwatchParams, result: EmptyResult },
  'fs/changed': { params: fsWatch.FsChangedNotification },
  'fs/watchMissing': {
    params: watchMissing.FsWatchMissingParams,
    result: watchMissing.FsWatchMissingResult,
  },
  'fs/missingChanged': { params: watchMissing.FsMissingChangedNotification },
  'capabilityRoots/discoverV1': {
    params: CapabilityRootsDiscoverParams,
    result: CapabilityRootsDiscoverResult,
  },
  'capabilities/discoverV2': {
    params: CapabilitiesDiscoverV2Params,
    result: CapabilitiesDiscoverV2Result,
  },
  'http/request': { params: http.HttpRequestParams, result: http.HttpRequestResult },
  'http/request/bodyDelta': { params: http.HttpBodyDeltaNotification },
} as const satisfies Record<string, MethodSchemas>;
