// The handler of `capabilityRoots/discoverV1`.

import type { FileSystems } from '@codex/exec-files';
import { forEachBounded, parsePathArgument, toRpcError } from '@codex/exec-files';
import { type CapabilityRoot, formatPath, invalidRequest, type ParamsOf } from '@codex/exec-protocol';
import { discoverRoot, type RootQuestion } from '../capability/discover-root.js';
import { MAX_ANSWER_BYTES, MAX_ROOTS, ROOTS_AT_ONCE } from '../capability/discovery-limits.js';
import { FILE_ORDER } from '../files/connection-files.js';
import type { Handlers, RequestContext } from './handler-table.js';

export function capabilityHandlers(files: FileSystems): Handlers {
  return { 'capabilityRoots/discoverV1': (params, context) => handleDiscover(params, context, files) };
}

function handleDiscover(
  { roots }: ParamsOf<'capabilityRoots/discoverV1'>,
  context: RequestContext,
  files: FileSystems,
) {
  if (roots.length > MAX_ROOTS) {
    throw invalidRequest(`capability root discovery accepts at most ${MAX_ROOTS} roots`);
  }
  const { connection, session } = context;
  const shared = { room: { bytes: MAX_ANSWER_BYTES }, signal: connection.signal };
  const places = roots.map((root) => placeOf(root));
  const discover = async () => {
    // A root under a restriction that cannot be enforced here refuses the request: nothing of any root is looked at.
    const fileSystems = await Promise.all(roots.map(async ({ sandbox }) => files.choose(session, sandbox)));
    const answers: CapabilityRoot[] = [];
    await forEachBounded([...fileSystems.entries()], ROOTS_AT_ONCE, async ([index, fileSystem]) => {
      const place = places[index];
      if (place !== undefined) answers[index] = await discoverRoot({ ...place, ...shared, fileSystem });
    });
    return { roots: answers };
  };
  return connection
    .slice(FILE_ORDER)
    .read(discover)
    .catch((error: unknown) => {
      throw toRpcError(error);
    });
}

type Root = ParamsOf<'capabilityRoots/discoverV1'>['roots'][number];

function placeOf({ id, path }: Root): Omit<RootQuestion, 'room' | 'signal' | 'fileSystem'> {
  const { native, form } = parsePathArgument(path);
  return {
    id,
    path,
    native,
    formatPath: (found) => formatPath(found, form),
    parsePath: (text) => parsePathArgument(text).native,
  };
}
