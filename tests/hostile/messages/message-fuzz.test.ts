// Messages made from the published schema, whole, mutated and broken, on several connections at once. The server answers
// each request that has an id exactly once, serves others meanwhile, and is as it was afterwards.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METHODS } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Bystander } from '../support/bystander.js';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { type Random, seededRandom } from '../support/seeded-random.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';
import { isHarmless } from './harmless.js';
import { broken, mutated } from './mutations.js';
import { type Schema, SchemaValues } from './schema-values.js';

const MESSAGES = rounds({ short: 4000, full: 200_000 });
const CONNECTIONS = 4;
const IN_FLIGHT = 200;
/** A text that was to be broken may turn out whole; its answer is not counted. */
const ID_OF_BROKEN = 0;

const bundle = JSON.parse(
  readFileSync(
    fileURLToPath(new URL('../../../packages/protocol/schema/exec-server.schema.json', import.meta.url)),
    'utf8',
  ),
) as { $defs: Record<string, Schema> };

/** `process/start` → `ProcessStartParams`, as the bundle names them. */
function paramsSchema(method: string): Schema {
  const name = `${method.replaceAll(/(?:^|\/)(\w)/g, (_, letter: string) => letter.toUpperCase())}Params`;
  return bundle.$defs[name] ?? {};
}

const REQUESTS = Object.entries(METHODS)
  .filter(([method, { kind }]) => kind === 'request' && method !== 'initialize')
  .map(([method]) => method);

class FuzzingClient {
  readonly socket: WebSocket;
  readonly open = new Map<number, string>();
  answeredTwice = 0;
  refused = 0;
  accepted = 0;
  #lastId = 1;

  static async connect(url: string): Promise<FuzzingClient> {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new FuzzingClient(socket);
  }

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))));
    socket.on('error', () => undefined);
    this.send({ id: 1, method: 'initialize', params: { clientName: 'fuzz', resumeSessionId: null } });
    this.open.set(1, 'initialize');
    socket.send('{"method":"initialized"}');
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  nextId(method: string): number {
    this.open.set(++this.#lastId, method);
    return this.#lastId;
  }

  #receive({ id, error }: { id?: number; error?: unknown }): void {
    if (id === undefined || id === -1 || id === ID_OF_BROKEN) return;
    if (!this.open.delete(id)) this.answeredTwice++;
    else if (error === undefined) this.accepted++;
    else this.refused++;
  }

  async settled(limit: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (this.open.size > limit) {
      if (Date.now() > deadline) throw new Error(`unanswered: ${JSON.stringify([...this.open].slice(0, 5))}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

function fuzzOnce(client: FuzzingClient, random: Random, values: SchemaValues, scratch: string): void {
  const method = random.pick(REQUESTS);
  const whole = values.value(paramsSchema(method));
  const params = random.chance(0.5) ? whole : mutated(random, whole);
  if (!isHarmless(params, scratch)) return;
  if (random.chance(0.85)) {
    client.send({ id: client.nextId(method), method, params });
    return;
  }
  // What is no message cannot be answered under its id, so none is expected.
  const text = broken(random, JSON.stringify({ id: ID_OF_BROKEN, method, params }));
  if (isHarmless(tryParse(text), scratch) && !/"method"/.test(text.slice(1))) client.socket.send(text);
  else client.socket.send(text.slice(0, random.below(text.length)));
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('messages from the schema', () => {
  it(
    'are answered once each, others are served, and nothing stays behind',
    async () => {
      const random = seededRandom();
      const server = await ServerUnderAttack.start({
        args: ['--session-ttl-ms', '500', '--exited-process-retention-ms', '200'],
      });
      const bystander = await Bystander.watch(server.url);
      const values = new SchemaValues(random, bundle.$defs, server.scratch);
      const clients = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => FuzzingClient.connect(server.url)),
      );
      for (let sent = 0; sent < MESSAGES; sent++) {
        const client = random.pick(clients);
        if (client.socket.readyState === WebSocket.OPEN) fuzzOnce(client, random, values, server.scratch);
        if (sent % 50 === 0) await Promise.all(clients.map((each) => each.settled(IN_FLIGHT)));
      }
      await Promise.all(clients.map((each) => each.settled(0)));
      const told = `seed ${random.seed}`;
      const sum = (count: (client: FuzzingClient) => number): number =>
        clients.reduce((total, client) => total + count(client), 0);
      expect(
        sum(({ answeredTwice }) => answeredTwice),
        told,
      ).toBe(0);
      expect(
        sum(({ accepted }) => accepted),
        told,
      ).toBeGreaterThan(MESSAGES / 50);
      expect(
        sum(({ refused }) => refused),
        told,
      ).toBeGreaterThan(MESSAGES / 10);
      expect(server.isAlive, `${told}\n${server.stderr.slice(-2000)}`).toBe(true);
      expect(bystander.answers, told).toBeGreaterThan(10);
      // Not a measurement: a server that one client can occupy would not answer for many seconds.
      expect(bystander.longestWaitMs, told).toBeLessThan(5000);
      record('messages', {
        sent: MESSAGES,
        accepted: sum(({ accepted }) => accepted),
        refused: sum(({ refused }) => refused),
        longestWaitOfAnotherMs: bystander.longestWaitMs,
        residentMegabytes: server.residentMegabytes(),
      });
      bystander.stop();
      for (const { socket } of clients) socket.terminate();
      // The supervisors that wait for the next command stay; sessions, helpers and commands do not.
      await expect
        .poll(() => server.descendants().length, { timeout: 20_000, message: told })
        .toBeLessThan(16);
      await expect.poll(() => server.openDescriptors(), { timeout: 20_000, message: told }).toBeLessThan(60);
      expect(server.residentMegabytes(), told).toBeLessThan(400);
    },
    patienceMs,
  );
});
