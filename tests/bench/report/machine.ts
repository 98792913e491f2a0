// Where and with what a run was made; figures without it say nothing.
import { existsSync, readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';

export interface Machine {
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
}

export function describeMachine(): Machine {
  return {
    system: `${distribution()} (${type()} ${release()}, ${arch()})`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function machineSentence({ system, cpu, cores, memoryGiB, node }: Machine): string {
  return `${system}; ${cores} x ${cpu}, ${memoryGiB} GiB; Node ${node}`;
}

function distribution(): string {
  if (!existsSync('/etc/os-release')) return type();
  return /^PRETTY_NAME="(.*)"/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? type();
}
