// Machines as lines for a person.

import type { KnownMachine } from '@codex/exec-fleet';
import { textTable } from './text-table.js';

const HEADINGS = ['MACHINE', 'STATE', 'SESSIONS', 'CHANNELS', 'UP', 'HOST', 'VERSION'];

export function machineTable(machines: readonly KnownMachine[], now: number): string {
  const rows = machines.map((machine) => [
    `${machine.environment}/${machine.executor}`,
    machine.state,
    `${machine.sessions}/${machine.maxSessions}`,
    String(machine.channels),
    span(now - machine.startedAt),
    machine.host,
    machine.version,
  ]);
  return textTable([HEADINGS, ...rows]);
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}
