// An exec-server as a column: ours, the real one, or the real one behind a relay that acknowledges at once.
import type { BenchContext, Scenario, Stage } from '../scenario.js';
import { BenchClient } from './bench-client.js';
import { QuickAckRelay } from './quick-ack-relay.js';
import { type ServerCommand, ServerProcess } from './server-process.js';
import { type OpenSubject, type Subject, takeSamples } from './subject.js';

export interface ExecServerOptions {
  readonly command: ServerCommand;
  readonly folder: string;
  /** The compiled relay, for the column that shows the server without delayed acknowledgements. */
  readonly relayProgram?: string;
  readonly isOurs?: boolean;
}

export function execServerSubject({ command, folder, relayProgram, isOurs }: ExecServerOptions): Subject {
  return {
    name: command.name,
    measures: ({ isOursOnly, isAckSensitive }) =>
      isOursOnly === true ? isOurs === true : relayProgram === undefined || isAckSensitive === true,
    async open() {
      const server = await ServerProcess.start(command);
      if (relayProgram === undefined) return new OpenExecServer({ server, url: server.url, folder });
      const relay = await QuickAckRelay.start(relayProgram, server.url);
      return new OpenExecServer({ server, url: relay.url, folder, relay });
    },
  };
}

interface OpenOptions {
  readonly server: ServerProcess;
  readonly url: string;
  readonly folder: string;
  readonly relay?: QuickAckRelay;
}

class OpenExecServer implements OpenSubject {
  readonly #options: OpenOptions;
  #stage: Stage | undefined;
  #strike: () => Promise<void> = async () => undefined;

  constructor(options: OpenOptions) {
    this.#options = options;
  }

  async take(scenario: Scenario): Promise<readonly number[]> {
    const { server, url, folder } = this.#options;
    const client = await BenchClient.connect(url);
    const context = { client, server, folder };
    await this.#setStage(scenario.stage, context);
    const samples = await takeSamples(scenario, () => scenario.sample(context));
    client.close();
    return samples;
  }

  async close(): Promise<void> {
    await this.#strike();
    this.#options.relay?.stop();
    await this.#options.server.stop();
  }

  async #setStage(stage: Stage | undefined, context: BenchContext): Promise<void> {
    if (stage === this.#stage) return;
    await this.#strike();
    this.#stage = stage;
    const strike = await stage?.set(context);
    this.#strike = strike ?? (async () => undefined);
  }
}
