import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { redPixel } from './red-pixel.js';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const cliFlags = ['--config', 'default_permissions="careful"'];

describe('a permission profile', () => {
  it('can hide folders and files from commands, patches and images', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        expect(await model.exec('cat a.txt; echo b > b.txt; cat b.txt')).toContain('hi\nb\n');
        expect(await model.exec('cat secret/key')).not.toContain('hunter2');
        await model.exec('ls secret');
        await model.exec('touch secret/new');
        expect(await model.exec('cat a.env')).not.toContain('hunter2');
        expect(await model.exec('cat sub/b.env')).not.toContain('hunter2');
        // Which error it is depends on the capabilities that root has in a sandbox.
        expect(await model.exec('(echo x > a.env) 2>/dev/null || echo refused')).toContain('refused\n');
        await model.exec('ln -s secret/key alias; cat alias');
        await model.patch(patch('*** Update File: secret/key', '@@', '-hunter2', '+x'));
        await model.patch(patch('*** Update File: a.env', '@@', '-hunter2', '+x'));
        await model.patch(patch('*** Add File: secret/new', '+x'));
        expect(JSON.stringify(await model.viewImage('secret/p.png'))).not.toContain('data:image');
        await model.viewImage('p.png');
      },
      {
        sandbox: 'configured',
        cliFlags,
        config: () => [
          '[permissions.careful.filesystem]',
          'glob_scan_max_depth = 3',
          '":root" = "read"',
          '":workspace_roots" = { "." = "write", "secret" = "deny", "**/*.env" = "deny" }',
        ],
        files: {
          'a.txt': 'hi\n',
          'p.png': redPixel,
          'secret/key': 'hunter2\n',
          'secret/p.png': redPixel,
          'a.env': 'hunter2\n',
          'sub/b.env': 'hunter2\n',
        },
      },
    );
    expect(turn.workspace['a.env']).toBe(`file 644: ${btoa('hunter2\n')}`);
  });

  it('can leave only the workspace and what programs need', async () => {
    await expectSameTurn(
      async (model) => {
        expect(await model.exec('echo b > b.txt; cat b.txt')).toContain('b\n');
        await model.exec('cat ~/.profile');
        await model.exec('ls /var/log');
        await model.exec('head -c 5 /etc/passwd');
        await model.exec('ls -d /usr/bin');
        // What exists in an empty root besides the granted folders is a matter of how it is built.
        await model.exec('touch /tmp/outside-of-the-workspace 2>/dev/null; true');
        expect(existsSync('/tmp/outside-of-the-workspace')).toBe(false);
        await model.patch(patch('*** Add File: c.txt', '+c'));
      },
      {
        sandbox: 'configured',
        cliFlags,
        config: () => [
          '[permissions.careful.filesystem]',
          '":minimal" = "read"',
          '":workspace_roots" = { "." = "write" }',
        ],
      },
    );
  });
});
