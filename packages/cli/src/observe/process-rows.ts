// Processes as rows of a table.

import {
  type ObservedProcess,
  type ObservedSession,
  type ProcessSummary,
  visibleText,
} from '@codex/exec-protocol';

export const HEADINGS = ['SESSION', 'CLIENT', 'PROCESS', 'PID', 'STATE', 'AGE', 'COMMAND'] as const;

export function processRow(
  { session, process, past }: ObservedProcess,
  sessions: ReadonlyMap<string, ObservedSession>,
  now: number,
): string[] {
  return [
    session,
    sessions.get(session)?.clientName ?? past?.clientName ?? '',
    process.processId,
    process.pid == null ? '-' : String(process.pid),
    stateOf(process),
    ageOf(process, now),
    process.argv.join(' '),
  ];
}

/** What only the server knows: denied, stalled, gone but for its descendants. */
export function stateOf({ state, exitCode, sandboxDenied, stalled, alive }: ProcessSummary): string {
  if (state === 'starting') return 'starting';
  if (state === 'running') return stalled === true ? 'stalled' : 'running';
  const code = `exit ${exitCode ?? '?'}`;
  if (sandboxDenied === true) return `${code} denied`;
  return alive === true ? `${code} tree` : code;
}

function ageOf({ startedAtMs, endedAtMs }: ProcessSummary, now: number): string {
  if (startedAtMs == null) return '-';
  return duration(Math.max(0, (endedAtMs ?? now) - startedAtMs));
}

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 100) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 100 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** Columns as wide as they need to be; the last is cut where the line would be too long. What a server says changes no terminal. */
export function tableLines(
  rows: readonly (readonly string[])[],
  maxWidth = Number.POSITIVE_INFINITY,
): string[] {
  const shown = rows.map((row) => row.map(visibleText));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => (row[column] ?? '').length)),
  );
  return shown.map((row) => {
    const line = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    const text = line.join('  ');
    return text.length > maxWidth ? `${text.slice(0, Math.max(0, maxWidth - 1))}…` : text;
  });
}
