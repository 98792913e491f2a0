// The folders of the program that starts commands stay as they are, whatever a policy grants.
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type SandboxPolicy, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

const writing = (path: string) => ({ path: { type: 'path' as const, path }, access: 'write' as const });

describe.each(users)('own folders in a workspace, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let own: string;
  beforeAll(async () => {
    user = await new SandboxUser(uid).ready();
    ws = user.directory();
    own = join(ws, 'node_modules', 'server', 'dist');
    await user.host(
      ws,
      'mkdir -p node_modules/server/dist/deep; echo code > node_modules/server/dist/program',
    );
    symlinkSync(ws, `${ws}-link`);
  });
  afterAll(async () => {
    await user.host(ws, `rm -f ${ws}-link`);
    await user.close();
  });

  const attempts = `cd node_modules/server/dist || exit
    (echo evil > program) 2>/dev/null && echo written
    (: 1<> program) 2>/dev/null && echo opened
    touch new deep/new 2>/dev/null && echo made
    rename() { perl -e 'rename($ARGV[0], $ARGV[1]) and print "renamed $ARGV[0]\\n"' "$@"; }
    rename program elsewhere; cd ../../..
    for name in node_modules/server/dist node_modules/server node_modules; do rename $name x; done
    touch node_modules/server/beside && cat node_modules/server/dist/program`;

  it.each<[string, () => SandboxPolicy]>([
    ['its workspace', () => workspaceWrite({ temporaryDirectories: false })],
    [
      'everything',
      () => ({
        fileSystem: { type: 'restricted', entries: [{ path: { type: 'root' }, access: 'write' }] },
        network: 'restricted',
      }),
    ],
    [
      'the folder itself',
      () => workspaceWrite({ roots: [ws, own, join(own, 'deep')], temporaryDirectories: false }),
    ],
    [
      'its workspace, by a link',
      () => ({
        fileSystem: {
          type: 'restricted',
          entries: [{ path: { type: 'root' }, access: 'read' }, writing(`${ws}-link`)],
        },
        network: 'restricted',
      }),
    ],
  ])('can be read and not changed by a command that may write %s', async (_what, policy) => {
    const argv = ['/bin/sh', '-c', attempts];
    const result = await user.run({ argv, cwd: ws, policy: policy(), ownFolders: [own] });
    expect(result.stdout).toBe('code\n');
    expect(readFileSync(join(own, 'program'), 'utf8')).toBe('code\n');
    expect(readdirSync(own).sort()).toEqual(['deep', 'program']);
    expect(readdirSync(ws)).toEqual(['node_modules']);
  });

  it('are not shown to a command that may not read them', async () => {
    const entries = [
      { path: { type: 'minimal' as const }, access: 'read' as const },
      writing(join(ws, 'other')),
    ];
    await user.host(ws, 'mkdir other; printf x > other/file');
    const policy: SandboxPolicy = { fileSystem: { type: 'restricted', entries }, network: 'restricted' };
    const argv = ['/bin/sh', '-c', `cat file; cat ${own}/program || echo hidden`];
    const result = await user.run({ argv, cwd: join(ws, 'other'), policy, ownFolders: [own] });
    expect(result.stdout).toBe('xhidden\n');
    await user.host(ws, 'rm -r other');
  });
});
