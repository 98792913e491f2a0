/** Signal numbers to names. Node has no names for real-time signals; they are told as SIGRT<number>. */
import { constants } from 'node:os';

/** Second names of a number. */
const ALIASES = new Set(['SIGIOT', 'SIGPOLL', 'SIGUNUSED', 'SIGCLD']);
const names = new Map<number, NodeJS.Signals>();
for (const [name, number] of Object.entries(constants.signals)) {
  if (!ALIASES.has(name)) names.set(number, name as NodeJS.Signals);
}

export function signalName(number: number): NodeJS.Signals {
  return names.get(number) ?? (`SIGRT${number}` as NodeJS.Signals);
}
