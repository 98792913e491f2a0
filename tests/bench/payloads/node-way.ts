// Node alone, without a network: the limit.
import { spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BULK_BYTES, freshTarget, LONG_BYTES, largeContents } from './material.js';
import type { Way } from './way.js';

export const nodeWay: Way = {
  name: 'bare Node',
  async open(folder) {
    const copyTree = () =>
      cp(join(folder, 'tree'), freshTarget(folder), { recursive: true, preserveTimestamps: true });
    return {
      jobs: {
        'bulk output': () => run(['head', '-c', String(BULK_BYTES), '/dev/zero']),
        'long output': () => run(['head', '-c', String(LONG_BYTES), '/dev/zero']),
        'bulk input': () => run(['sh', '-c', 'cat > /dev/null'], largeContents()),
        'read a large file': () => readFile(join(folder, 'large')),
        'write a large file': () => writeFile(join(folder, 'written'), largeContents()),
        'upload a large file': () => cp(join(folder, 'large'), join(folder, 'uploaded')),
        'download a large file': () => cp(join(folder, 'large'), join(folder, 'downloaded')),
        'upload 2,000 files': copyTree,
        'download 2,000 files': copyTree,
      },
      processIds: () => [],
      close: async () => undefined,
    };
  },
};

function run([command = '', ...args]: readonly string[], input?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
