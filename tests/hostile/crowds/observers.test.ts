// Observers that ask too much: reads of the journal that wait for what never happens, and questions that wait for one answer.
import { ExecServerClient } from '@codex/exec-client';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Bystander } from '../support/bystander.js';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';

const EVENTS = rounds({ short: 1000, full: 2400 });
const WAITING = rounds({ short: 2000, full: 4000 });

class Crowd {
  readonly answers = new Map<number, unknown>();
  readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      const { id, ...rest } = JSON.parse(data.toString()) as { id?: number };
      if (id !== undefined) this.answers.set(id, rest);
    });
  }

  static async join(url: string, params: object): Promise<Crowd> {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const crowd = new Crowd(socket);
    crowd.send({ id: 0, method: 'initialize', params: { clientName: 'crowd', ...params } });
    await crowd.answered(1);
    crowd.send({ method: 'initialized' });
    return crowd;
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  answered(count: number): Promise<void> {
    return expect.poll(() => this.answers.size, { timeout: patienceMs / 2, interval: 5 }).toBe(count);
  }
}

/** Sends the request many times and one more behind it, whose answer says that all were taken, not that all were answered. */
async function sendMany(crowd: Crowd, method: string, params: object): Promise<void> {
  for (let index = 0; index < WAITING; index++) crowd.send({ id: 10 + index, method, params });
  crowd.send({ id: 1, method: 'environment/status', params: null });
  await expect.poll(() => crowd.answers.has(1), { timeout: patienceMs / 2, interval: 5 }).toBe(true);
}

it(
  'reads of the journal that wait cost others little, also when their observer leaves',
  async () => {
    const server = await ServerUnderAttack.start();
    await Crowd.join(server.url, { clientName: 'quiet' });
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    for (let made = 0; made < EVENTS; made += 100)
      await Promise.all(Array.from({ length: 100 }, () => client.run(['true'])));
    const bystander = await Bystander.watch(server.url);
    onTestFinished(() => bystander.stop());
    const crowd = await Crowd.join(server.url, { role: 'observer' });
    crowd.send({ id: 2, method: 'sessions/list', params: {} });
    await crowd.answered(2);
    const { result } = crowd.answers.get(2) as {
      result: { sessions: { session: string; clientName: string }[] };
    };
    const quiet = result.sessions.find(({ clientName }) => clientName === 'quiet')?.session;
    const nothing = { afterSeq: 10, waitMs: 600_000, maxEvents: 1, session: quiet };
    await sendMany(crowd, 'journal/read', nothing);
    // Few wait at a time; the others are answered as if their time was up.
    await crowd.answered(3 + WAITING - 32);
    const whileAsking = bystander.longestWaitMs;
    bystander.longestWaitMs = 0;
    await client.run(['true']);
    const whenWoken = bystander.longestWaitMs;
    bystander.longestWaitMs = 0;
    crowd.socket.terminate();
    const { answers } = bystander;
    await expect.poll(() => bystander.answers, { timeout: 60_000 }).toBeGreaterThan(answers + 10);
    record('reads of the journal', {
      reads: WAITING,
      whileAsking,
      whenWoken,
      whenGone: bystander.longestWaitMs,
    });
    await client.close();
  },
  patienceMs,
);

it(
  'requests that wait for the answer to one question are all answered, and cost others little',
  async () => {
    const server = await ServerUnderAttack.start();
    const bystander = await Bystander.watch(server.url);
    onTestFinished(() => bystander.stop());
    const observer = await Crowd.join(server.url, { role: 'observer' });
    const crowd = await Crowd.join(server.url, {});
    await sendMany(crowd, 'approvals/ask', { id: 'q', title: 'May I?' });
    // A refusal is answered behind what was answered at once in the same turn.
    await crowd.answered(2 + WAITING - 64);
    const whileAsking = bystander.longestWaitMs;
    bystander.longestWaitMs = 0;
    observer.send({ id: 5, method: 'approvals/list', params: {} });
    await observer.answered(2);
    const list = observer.answers.get(5) as { result: { approvals: { session: string }[] } };
    const session = list.result.approvals[0]?.session;
    observer.send({
      id: 6,
      method: 'approvals/decide',
      params: { session, approval: 'q', decision: 'allow' },
    });
    await observer.answered(3);
    await crowd.answered(WAITING + 2);
    record('questions', { asked: WAITING, whileAsking, whenAnswered: bystander.longestWaitMs });
  },
  patienceMs,
);
