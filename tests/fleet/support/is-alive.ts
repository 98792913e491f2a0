import { expect } from 'vitest';

export function isAlive(pid: number): boolean {
  expect(pid).toBeGreaterThan(1);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
