// The two most frequent requests, answered in the turn in which they arrive: reading a small file and overwriting one.
// A process that serves one policy holds nobody else up, so what counts is only that every file system is local.
// The policy is passed by what was opened, as on the long way (policy-guard.ts); whatever is unusual or fails goes
// there, and is answered there.
// What it does not stop: a local disk that hangs in one call holds the other requests of this helper, as it does on the
// long way too.
import type { Buffer } from 'node:buffer';
import {
  fromWirePath,
  type HelperOperations,
  type OperationName,
} from '../helper-protocol/helper-messages.js';
import { isSystemPlace } from '../local/calls/mount-table.js';
import { type CallWindow, quickOverwrite, quickReadFile } from '../local/calls/quick-calls.js';
import { trimTrailingSlashes as trim } from '../native-path.js';
import type { PolicyGuard } from './guard/policy-guard.js';
import type { Outcome } from './operations.js';

export class CallsAtOnce {
  readonly #window: CallWindow;

  constructor(guard: Pick<PolicyGuard, 'mayCallAtOnce'>) {
    this.#window = {
      run: (path, act) => {
        if (typeof path !== 'string' || isSystemPlace(path) || !guard.mayCallAtOnce()) return undefined;
        try {
          return act(path);
        } catch {
          return undefined;
        }
      },
    };
  }

  /** Undefined: the long way has to be taken. */
  answer(operation: OperationName, args: object, payload: Uint8Array): Outcome | undefined {
    if (operation === 'readFile') return this.#read(args as HelperOperations['readFile']);
    if (operation === 'writeFile') return this.#write(args as HelperOperations['writeFile'], payload);
    return undefined;
  }

  #read({ path, maxBytes, followSymlinks }: HelperOperations['readFile']): Outcome | undefined {
    if (followSymlinks === false) return undefined;
    const payload: Buffer | undefined = quickReadFile(this.#window, trim(fromWirePath(path)));
    return payload === undefined || payload.byteLength > maxBytes ? undefined : { payload };
  }

  #write({ path, options }: HelperOperations['writeFile'], bytes: Uint8Array): Outcome | undefined {
    const { followSymlinks, atomic, append, exclusive, mode } = options;
    const isPlain = !atomic && !append && !exclusive && mode === undefined && followSymlinks !== false;
    return isPlain && quickOverwrite(this.#window, trim(fromWirePath(path)), bytes) ? DONE : undefined;
  }
}

const DONE: Outcome = {};
