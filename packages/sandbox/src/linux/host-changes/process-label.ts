// Names a process so that another one can tell later whether it still lives: boot, pid namespace, pid and start time.
import { readFileSync, readlinkSync } from 'node:fs';

const pattern = /^([0-9a-f]{8})-(\d+)-(\d+)-(\d+)$/;
let own: string | undefined;

export function ownProcessLabel(): string {
  own ??= `${bootId()}-${pidNamespace()}-${process.pid}-${startTime(process.pid) ?? 0}`;
  return own;
}

export function isProcessLabel(text: string): boolean {
  return pattern.test(text);
}

/** Says `true` when it cannot know, as for a process of another container. */
export function describesLiveProcess(label: string): boolean {
  const [, boot, namespace, pid, started] = pattern.exec(label) ?? [];
  if (boot === undefined || boot !== bootId()) return false;
  if (namespace !== pidNamespace()) return true;
  return startTime(Number(pid)) === started;
}

/** Clock ticks after boot, or undefined when there is no such process. */
export function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name may contain spaces and brackets; what follows the last bracket is fixed.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
}

function pidNamespace(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
}
