// A machine that says what it wants: it is in the queue group as any other, and puts its frames together by hand.

import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { RawChannel } from './raw-caller.js';

export interface RawMachine {
  /** Everything that came, of all callers, with the channels to answer on. */
  readonly channels: readonly RawChannel[];
  close(): Promise<void>;
}

export interface RawMachineOptions {
  readonly environment?: string;
  readonly name?: string;
  /** What it answers to whoever asks for a session. */
  readonly answer?: object;
  onChannel?(channel: RawChannel): void;
}

const WINDOW = 262_144;

export async function startRawMachine(
  broker: string,
  { environment = 'test', name = 'raw', answer = {}, onChannel }: RawMachineOptions = {},
): Promise<RawMachine> {
  const connection: NatsConnection = await connect({ servers: broker, noEcho: true });
  const base = `exec.v1.${environment}`;
  const channels: RawChannel[] = [];
  const bySubject = new Map<string, RawChannel>();
  const opened = (message: Msg): void => {
    const [role = '', key = ''] = message.subject.split('.').slice(message.subject.includes('.x.') ? -3 : -2);
    const { channel: id, window } = JSON.parse(message.string()) as { channel: string; window: number };
    const own = `${base}.x.${name}.${role}.${key}.${id}`;
    const remote = message.reply ?? '';
    const channel = new RawChannel((frame) => connection.publish(remote, frame, { reply: own }), window);
    bySubject.set(own, channel);
    channels.push(channel);
    const times = { sessionTtlMs: 80_000, maxSessionTtlMs: 80_000 };
    const accepted = { v: 1, executor: name, boot: 'b', window: WINDOW, ...times, ...answer };
    connection.publish(remote, JSON.stringify(accepted), { reply: own });
    onChannel?.(channel);
  };
  connection.subscribe(`${base}.open.*.*`, { queue: 'exec', callback: (_error, message) => opened(message) });
  connection.subscribe(`${base}.x.${name}.>`, {
    callback: (_error, message) => {
      if (message.subject.endsWith('.open')) opened(message);
      else bySubject.get(message.subject)?.received(message.data);
    },
  });
  await connection.flush();
  return { channels, close: () => connection.close() };
}
