// A fleet between the CLI and a machine: broker, machine and gateway as programs that a script can kill.
import { type Broker, startBroker } from '../../fleet/support/broker.js';
import { type Program, startExecutor, startGateway } from '../../fleet/support/programs.js';
import { CuttingProxy } from './cutting-proxy.js';

export class FleetWay {
  readonly broker: Broker;
  machine: Program;
  #gateway: Program;
  /** Stands for the service in front of several gateways. */
  #front: CuttingProxy;

  private constructor(broker: Broker, machine: Program, gateway: Program, front: CuttingProxy) {
    this.broker = broker;
    this.machine = machine;
    this.#gateway = gateway;
    this.#front = front;
  }

  static async start(): Promise<FleetWay> {
    const broker = await startBroker();
    const machine = await startExecutor(broker.url, 'x1');
    const gateway = await startGateway(broker.url);
    return new FleetWay(broker, machine, gateway, await CuttingProxy.start(gateway.line));
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
    await this.broker.stop();
  }
}
