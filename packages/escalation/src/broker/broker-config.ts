// What a broker finds in its sealed file. Twin: native/broker/config.c.
import type { AskedPrograms } from './escalation-broker.js';
import { RecordWriter } from './record-writer.js';

const MAGIC = 0x31455843;
const ASK_ALL = 1;

export interface BrokerConfig {
  readonly serverPid: number;
  readonly shellFd: number;
  readonly maxSessions: number;
  readonly firstFrameMs: number;
  /** Name of the abstract socket. */
  readonly door: string;
  readonly token: string;
  readonly askedPrograms: AskedPrograms;
}

export function encodeBrokerConfig(config: BrokerConfig): Buffer {
  const { askedPrograms } = config;
  const isAll = askedPrograms === 'all';
  const writer = new RecordWriter();
  writer.u32(MAGIC);
  writer.u32(isAll ? ASK_ALL : 0);
  writer.u32(config.serverPid);
  writer.u32(config.shellFd);
  writer.u32(config.maxSessions);
  writer.u32(config.firstFrameMs);
  writer.string(config.door);
  writer.string(config.token);
  writer.strings(isAll ? [] : usable(askedPrograms.names));
  const folded = isAll ? [] : usable(askedPrograms.foldedNames ?? []);
  writer.strings(folded.map((name) => name.toLowerCase()));
  return writer.bytes();
}

/** No path has a NUL in it: a rule about such a name is about nothing. */
function usable(names: Iterable<string>): string[] {
  return [...names].filter((name) => !name.includes('\0'));
}
