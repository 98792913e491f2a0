// Runs programs/quick-ack-relay.c in front of a server. Node cannot set TCP_QUICKACK, so the relay stands for a client
// that acknowledges at once; its own way through the loopback adds a little to each exchange (0.02 to 0.08 ms to a round trip).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const source = join(dirname(fileURLToPath(import.meta.url)), '..', 'programs', 'quick-ack-relay.c');

/** Undefined where there is no C compiler. */
export function compileRelay(folder: string): string | undefined {
  const program = join(folder, 'quick-ack-relay');
  try {
    execFileSync('cc', ['-O2', '-o', program, source, '-lpthread'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    return program;
  } catch {
    return undefined;
  }
}

export class QuickAckRelay {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(program: string, url: string): Promise<QuickAckRelay> {
    // It ends when its stdin does, so it cannot outlive this process.
    const child = spawn(program, [new URL(url).port], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return new QuickAckRelay(`ws://127.0.0.1:${port}`, child);
  }

  stop(): void {
    this.#child.stdin?.end();
  }
}
