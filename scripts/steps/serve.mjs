// Runs a program of this checkout in the foreground: its stdio is ours, signals reach it, and its exit code counts.
import { spawn } from 'node:child_process';
import { codexEntry } from './bundle.mjs';

export function runCodex(args) {
  runInForeground([codexEntry, ...args]);
}

export function runInForeground(nodeArguments) {
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child by itself; passed on once more it would count as the second, which ends it at once.
  process.on('SIGINT', () => undefined);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
