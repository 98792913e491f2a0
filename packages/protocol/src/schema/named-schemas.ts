// Every schema that has a name, collected from the slices in the order of their names.
import type { TSchema } from '@sinclair/typebox';
import * as capability from './capability.js';
import * as capabilityV2 from './capability-discovery-v2.js';
import * as envelope from './envelope.js';
import * as environment from './environment.js';
import * as environmentConfig from './environment-config.js';
import * as fsContent from './fs-content.js';
import * as fsTransfer from './fs-transfer.js';
import * as fsTree from './fs-tree.js';
import * as fsWatch from './fs-watch.js';
import * as http from './http.js';
import { EmptyResult } from './method-descriptors.js';
import * as approvals from './observe/approvals.js';
import * as console from './observe/console.js';
import * as journal from './observe/journal.js';
import * as observe from './observe/observe.js';
import * as observeFiles from './observe/observe-files.js';
import * as sandboxExplain from './observe/sandbox-explain.js';
import * as envPolicy from './process/env-policy.js';
import * as control from './process/process-control.js';
import * as events from './process/process-events.js';
import * as io from './process/process-io.js';
import * as start from './process/process-start.js';
import * as sandbox from './sandbox-context.js';
import * as session from './session.js';
import * as watchMissing from './watch-missing.js';

const slices: readonly object[] = [
  envelope,
  environment,
  environmentConfig,
  session,
  envPolicy,
  sandbox,
  start,
  io,
  control,
  events,
  fsContent,
  fsTree,
  fsTransfer,
  fsWatch,
  watchMissing,
  capability,
  capabilityV2,
  http,
  observe,
  observeFiles,
  journal,
  sandboxExplain,
  approvals,
  console,
  { EmptyResult },
];

function isNamed(value: unknown): value is TSchema & { $id: string } {
  return typeof value === 'object' && value !== null && '$id' in value && typeof value.$id === 'string';
}

export function namedSchemas(): Map<string, TSchema> {
  const found = slices.flatMap((slice) => Object.values(slice).filter(isNamed));
  found.sort((a, b) => (a.$id < b.$id ? -1 : 1));
  return new Map(found.map((schema) => [schema.$id, schema]));
}
