// Runs the built app in the foreground: its stdio is ours, signals reach it, and its exit code counts.
import { spawn } from 'node:child_process';
import { codexEntry } from './bundle.mjs';

export function runCodex(args) {
  const child = spawn(process.execPath, [codexEntry, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
