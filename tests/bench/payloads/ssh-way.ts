// OpenSSH over one open connection, with `cat` for files and `tar` at both ends for trees.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SshHost } from '../subjects/ssh-host.js';
import { BULK_BYTES, freshTarget, LONG_BYTES, largeContents } from './material.js';
import { treeOf } from './processor-time.js';
import type { Way } from './way.js';

export function sshWay(name: string): Way {
  return {
    name,
    async open(folder) {
      const own = mkdtempSync(join(tmpdir(), 'bench-ssh-'));
      const host = await SshHost.start(own);
      const quoted = (path: string) => `'${join(folder, path)}'`;
      return {
        jobs: {
          'bulk output': () => host.run(`head -c ${BULK_BYTES} /dev/zero`),
          'long output': () => host.run(`head -c ${LONG_BYTES} /dev/zero`),
          'bulk input': () => host.run('cat > /dev/null', { input: largeContents() }),
          'read a large file': () => host.run(`cat ${quoted('large')}`),
          'write a large file': () => host.run(`cat > ${quoted('written')}`, { input: largeContents() }),
          'upload a large file': () =>
            shell(`${host.commandLine} "cat > ${quoted('uploaded')}" < ${quoted('large')}`),
          'download a large file': () =>
            shell(`${host.commandLine} "cat ${quoted('large')}" > ${quoted('downloaded')}`),
          'upload 2,000 files': () => {
            const target = `'${freshTarget(folder)}'`;
            return shell(
              `tar -C ${quoted('tree')} -cf - . | ${host.commandLine} "mkdir -p ${target} && tar -C ${target} -xf -"`,
            );
          },
          'download 2,000 files': () => {
            const target = `'${freshTarget(folder)}'`;
            return shell(
              `mkdir -p ${target} && ${host.commandLine} "tar -C ${quoted('tree')} -cf - ." | tar -C ${target} -xf -`,
            );
          },
        },
        processIds: () => [...treeOf(host.daemonPid), host.masterPid()],
        async close() {
          await host.stop();
          await rm(own, { recursive: true, force: true });
        },
      };
    },
  };
}

function shell(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}
