/** Signal numbers to names. Real-time signals have no name in Node and are told as SIGKILL's like: by 128+n elsewhere. */
import { constants } from 'node:os';

const names = new Map<number, NodeJS.Signals>();
for (const [name, number] of Object.entries(constants.signals)) {
  // Aliases (SIGIOT, SIGPOLL) come after or before the usual name; the first one listed by Node is the usual one.
  if (!names.has(number)) names.set(number, name as NodeJS.Signals);
}

export function signalName(number: number): NodeJS.Signals {
  return names.get(number) ?? (`SIGRT${number}` as NodeJS.Signals);
}
