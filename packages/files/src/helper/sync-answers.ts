// The two most frequent requests, answered synchronously in the turn in which they arrive: reading a small file and
// overwriting one. A process that serves one policy delays no other client, so what counts is only that every file system
// is local. The guard judges what was opened, as on the long way (policy-guard.ts); whatever is unusual or fails goes
// there, and is answered there.
// What it does not stop: a local disk that hangs in one call holds the other requests of this helper, as it does on the
// long way too.
import {
  fromWirePath,
  type HelperOperations,
  type OperationName,
} from '../helper-protocol/helper-messages.js';
import type { FileGuard } from '../local/calls/file-guard.js';
import { isSystemPlace } from '../local/calls/mount-table.js';
import { SyncCalls, type SyncGate } from '../local/calls/sync-calls.js';
import { trimTrailingSlashes as trim } from '../native-path.js';
import type { Outcome } from './operations.js';

export class SyncAnswers {
  readonly #calls: SyncCalls;

  constructor(guard: FileGuard) {
    this.#calls = new SyncCalls(gateOf(guard), guard);
  }

  /** Undefined: the long way has to be taken. */
  answer(operation: OperationName, args: object, payload: Uint8Array): Outcome | undefined {
    if (operation === 'readFile') return this.#read(args as HelperOperations['readFile']);
    if (operation === 'writeFile') return this.#write(args as HelperOperations['writeFile'], payload);
    return undefined;
  }

  #read({ path, maxBytes, followSymlinks }: HelperOperations['readFile']): Outcome | undefined {
    if (followSymlinks === false) return undefined;
    const payload = this.#calls.readFile(trim(fromWirePath(path)));
    return payload === undefined || payload.byteLength > maxBytes ? undefined : { payload };
  }

  #write({ path, options }: HelperOperations['writeFile'], bytes: Uint8Array): Outcome | undefined {
    const { followSymlinks, atomic, append, exclusive, mode } = options;
    const isPlain = !atomic && !append && !exclusive && mode === undefined && followSymlinks !== false;
    return isPlain && this.#calls.overwrite(trim(fromWirePath(path)), bytes) ? DONE : undefined;
  }
}

const DONE: Outcome = {};

function gateOf(guard: FileGuard): SyncGate {
  return {
    run: (path, act) => {
      if (typeof path !== 'string' || isSystemPlace(path) || !guard.maySync()) return undefined;
      try {
        return act(path);
      } catch {
        return undefined;
      }
    },
  };
}
