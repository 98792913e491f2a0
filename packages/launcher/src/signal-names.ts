// Signal numbers to names and back. Node has no names for real-time signals; they are told as SIGRT<number>.
import { constants } from 'node:os';
import type { ExitStatus } from './launched-process.js';

/** Second names of a number. */
const ALIASES = new Set(['SIGIOT', 'SIGPOLL', 'SIGUNUSED', 'SIGCLD']);
const names = new Map<number, NodeJS.Signals>();
for (const [name, number] of Object.entries(constants.signals)) {
  if (!ALIASES.has(name)) names.set(number, name as NodeJS.Signals);
}

export function signalName(number: number): NodeJS.Signals {
  return names.get(number) ?? (`SIGRT${number}` as NodeJS.Signals);
}

/** The end of a program as one number, as shells say it: 128 and the signal that ended it. Undefined when neither is known. */
export function shellExitCode({ code, signal }: Pick<ExitStatus, 'code' | 'signal'>): number | undefined {
  if (code !== null) return code;
  const number = signal === null ? undefined : signalNumber(signal);
  return number === undefined ? undefined : 128 + number;
}

function signalNumber(name: string): number | undefined {
  const known = (constants.signals as Readonly<Record<string, number>>)[name];
  const realTime = /^SIGRT(\d+)$/.exec(name)?.[1];
  return known ?? (realTime === undefined ? undefined : Number(realTime));
}
