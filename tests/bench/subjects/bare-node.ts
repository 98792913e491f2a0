// What Node itself costs, as the limit: its own spawn, its own file calls, and `ws` with nothing behind it.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchClient } from './bench-client.js';
import { plainEnvironment, ServerProcess } from './server-process.js';
import { type Subject, takeSamples } from './subject.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', 'programs', 'bare-node-server.mjs');

export class BareNode {
  readonly server: ServerProcess;
  readonly client: BenchClient;

  private constructor(server: ServerProcess, client: BenchClient) {
    this.server = server;
    this.client = client;
  }

  static async open(): Promise<BareNode> {
    const server = await ServerProcess.start({ name: 'bare Node', command: [process.execPath, program] });
    return new BareNode(server, await BenchClient.connect(server.url));
  }

  /** Runs a command to its end and returns how many bytes it wrote. */
  run(command: string, args: readonly string[] = []): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: plainEnvironment(),
      });
      let bytes = 0;
      child.stdout.on('data', (block: Buffer) => {
        bytes += block.length;
      });
      child.on('error', reject);
      child.on('close', () => resolve(bytes));
    });
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.stop();
  }
}

export function bareNodeSubject(folder: string): Subject {
  return {
    name: 'bare Node',
    measures: (scenario) => scenario.node !== undefined,
    async open() {
      const node = await BareNode.open();
      return {
        take: (scenario) =>
          takeSamples(scenario, async () => (await scenario.node?.(node, folder)) ?? Number.NaN),
        close: () => node.close(),
      };
    },
  };
}
