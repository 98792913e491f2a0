// `capabilityRoots/discoverV1`: between the wire and the capability slice.
import { type CapabilityRoot, formatPath, invalidRequest, type ParamsOf } from '@codex/exec-protocol';
import { discoverRoot, type RootQuestion } from '../capability/discover-root.js';
import { MAX_ANSWER_BYTES, MAX_ROOTS, ROOTS_AT_ONCE } from '../capability/discovery-limits.js';
import { forEachBounded } from '../fs/bounded-parallel.js';
import { chooseFileSystem } from '../fs/choose-file-system.js';
import { FILE_ORDER } from '../fs/connection-files.js';
import { parsePathArgument } from '../fs/path-argument.js';
import type { Handlers, RequestContext } from './handler-table.js';

export function capabilityHandlers(): Handlers {
  return { 'capabilityRoots/discoverV1': handleDiscover };
}

function handleDiscover({ roots }: ParamsOf<'capabilityRoots/discoverV1'>, context: RequestContext) {
  if (roots.length > MAX_ROOTS) {
    throw invalidRequest(`capability root discovery accepts at most ${MAX_ROOTS} roots`);
  }
  const { connection } = context;
  const shared = { room: { bytes: MAX_ANSWER_BYTES }, signal: connection.signal };
  const questions = roots.map((root) => questionOf(root, shared));
  return connection.slice(FILE_ORDER).read(async () => {
    const answers: CapabilityRoot[] = [];
    await forEachBounded([...questions.entries()], ROOTS_AT_ONCE, async ([index, question]) => {
      answers[index] = await discoverRoot(question);
    });
    return { roots: answers };
  });
}

type Root = ParamsOf<'capabilityRoots/discoverV1'>['roots'][number];

/** A root under a restriction that cannot be enforced here refuses the request: nothing of it is looked at. */
function questionOf(
  { id, path, sandbox }: Root,
  shared: Pick<RootQuestion, 'room' | 'signal'>,
): RootQuestion {
  const { native, form } = parsePathArgument(path);
  return {
    id,
    path,
    native,
    fileSystem: chooseFileSystem(sandbox),
    formatPath: (found) => formatPath(found, form),
    parsePath: (text) => parsePathArgument(text).native,
    ...shared,
  };
}
