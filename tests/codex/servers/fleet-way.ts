// A fleet between the CLI and a machine: broker, machine and gateway as programs that a script can kill.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { signUrlTicket } from '@codex/exec-listener/auth';
import { type Broker, startBroker } from '../../fleet/support/broker.js';
import { type Program, startExecutor, startGateway } from '../../fleet/support/programs.js';
import { CuttingProxy } from './cutting-proxy.js';

interface FleetParts {
  readonly machine: Program;
  readonly gateway: Program;
  readonly front: CuttingProxy;
  readonly secretFile: string;
}

export class FleetWay {
  readonly broker: Broker;
  machine: Program;
  readonly #more: Program[] = [];
  readonly #secretFile: string;
  #gateway: Program;
  /** Stands for the service in front of several gateways. */
  #front: CuttingProxy;

  private constructor(broker: Broker, { machine, gateway, front, secretFile }: FleetParts) {
    this.#secretFile = secretFile;
    this.broker = broker;
    this.machine = machine;
    this.#gateway = gateway;
    this.#front = front;
  }

  static async start({ hasTickets = false } = {}): Promise<FleetWay> {
    const broker = await startBroker();
    const machine = await startExecutor(broker.url, 'x1');
    const secretFile = join(mkdtempSync(join(tmpdir(), 'fleet-way-')), 'secret');
    writeFileSync(secretFile, randomBytes(32).toString('hex'), { mode: 0o600 });
    const gateway = await startGateway(broker.url, hasTickets ? ['--ticket-secret-file', secretFile] : []);
    const front = await CuttingProxy.start(gateway.line);
    return new FleetWay(broker, { machine, gateway, front, secretFile });
  }

  async startMachine(name: string): Promise<void> {
    this.#more.push(await startExecutor(this.broker.url, name));
  }

  newTicket(): string {
    return signUrlTicket({ secret: readFileSync(this.#secretFile, 'utf8'), audience: 'test' });
  }

  cut(): void {
    this.#front.cut();
  }

  get url(): string {
    return `${this.#front.url}/e/test`;
  }

  /** The gateway dies; the next connection comes to another one. */
  async replaceGateway(): Promise<void> {
    const [old, next] = [this.#gateway, await startGateway(this.broker.url)];
    this.#gateway = next;
    this.#front.leadTo(next.line);
    await old.kill();
  }

  async close(): Promise<void> {
    await this.#front.close();
    await this.#gateway.stop();
    await this.machine.stop();
    for (const machine of this.#more) await machine.stop();
    rmSync(dirname(this.#secretFile), { recursive: true, force: true });
    await this.broker.stop();
  }
}
