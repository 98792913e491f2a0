// Which process a word on the command line means: its id, the beginning of it, its pid, or `SESSION/ID`.

import type { ExecObserver } from '@codex/exec-client';
import { CodedError, type ObservedProcess } from '@codex/exec-protocol';

export class ProcessNameError extends CodedError<'PROCESS_NAME_UNCLEAR'> {
  constructor(message: string) {
    super('PROCESS_NAME_UNCLEAR', message);
  }
}

export async function findProcess(observer: ExecObserver, word: string): Promise<ObservedProcess> {
  const { processes } = await observer.processes();
  return chooseProcess(processes, word);
}

export function chooseProcess(processes: readonly ObservedProcess[], word: string): ObservedProcess {
  const candidates = [
    processes.filter((one) => nameOf(one) === word || one.process.processId === word),
    processes.filter((one) => String(one.process.pid) === word),
    processes.filter((one) => nameOf(one).startsWith(word) || one.process.processId.startsWith(word)),
  ];
  const found = candidates.find((some) => some.length > 0) ?? [];
  const [only, ...others] = found;
  if (only === undefined) throw new ProcessNameError(`no process is called ${word}; \`ps --all\` lists them`);
  if (others.length === 0) return only;
  const names = found.slice(0, 5).map(nameOf).join(', ');
  throw new ProcessNameError(
    `${found.length} processes are called ${word}: ${names}${found.length > 5 ? ', …' : ''}`,
  );
}

export function nameOf({ session, process }: ObservedProcess): string {
  return `${session}/${process.processId}`;
}
