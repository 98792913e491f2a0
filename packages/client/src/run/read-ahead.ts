// Asks a source for its first piece while the command is being started. A Node stream that fails before it is read has no
// listener for its error, which would end the whole program.

import type { Input, InputChunk } from '../spawn-options.js';

export interface ReadAhead {
  readonly input: Input;
  /** The command did not start: nothing more will be read. */
  abandon(): void;
}

export function readAhead(input: Input): ReadAhead {
  if (typeof input !== 'object' || !(Symbol.asyncIterator in input)) {
    return { input, abandon: () => undefined };
  }
  const source = input[Symbol.asyncIterator]();
  const first = source.next();
  first.catch(() => undefined);
  return {
    input: rest(first, source),
    abandon: () => void Promise.resolve(source.return?.()).catch(() => undefined),
  };
}

async function* rest(
  first: Promise<IteratorResult<InputChunk>>,
  source: AsyncIterator<InputChunk>,
): AsyncGenerator<InputChunk, void, undefined> {
  try {
    for (let next = await first; next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}
