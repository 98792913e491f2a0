// Where bubblewrap cannot run: what Landlock can express is enforced, everything else is refused with a reason.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createLauncher } from '@codex/launcher';
import {
  type LinuxHost,
  prepareSandbox,
  probeLinuxHost,
  readOnly,
  type SandboxPolicy,
  type SandboxRequest,
  type WeakerForm,
  workspaceWrite,
} from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const launcher = createLauncher();
const everything: WeakerForm[] = [
  'host-proc',
  'unprotected-metadata',
  'root-capabilities',
  'hidden-attributes',
];

describe('landlock alone', () => {
  let host: LinuxHost;
  let ws: string;
  let outside: string;
  beforeAll(async () => {
    host = await probeLinuxHost({ searchPath: '/nonexistent' });
    ws = mkdtempSync('/var/tmp/sandbox-test-');
    outside = mkdtempSync('/var/tmp/sandbox-test-');
    writeFileSync(`${outside}/file`, 'outside');
    mkdirSync(`${ws}/.git`);
  });
  afterAll(() => {
    for (const path of [ws, outside]) rmSync(path, { recursive: true, force: true });
  });
  const prepare = (
    policy: SandboxPolicy,
    script: string,
    accept: WeakerForm[] = everything,
    more: Partial<SandboxRequest> = {},
  ) =>
    prepareSandbox(
      { argv: ['/bin/sh', '-c', script], cwd: ws, env: { PATH: '/usr/bin:/bin' }, policy, accept, ...more },
      { host },
    );
  const run = async (
    policy: SandboxPolicy,
    script: string,
    more: Partial<SandboxRequest> = {},
  ): Promise<{ code: number | null; output: string }> => {
    const prepared = await prepare(policy, script, everything, more);
    const { argv, cwd, env, inheritFds, restrict } = prepared;
    const process = await launcher.launch({
      argv,
      cwd,
      env,
      inheritFds,
      io: { type: 'pipe', stdin: 'closed' },
      ...(restrict === undefined ? {} : { restrict }),
    });
    let output = '';
    const ends = process.outputs.map(
      (stream) =>
        new Promise<void>((resolve) =>
          stream.start((block) => {
            output += block.toString();
          }, resolve),
        ),
    );
    const { code } = await process.exited;
    await Promise.all(ends);
    prepared.finish();
    process.killTree();
    await process.treeGone;
    return { code, output };
  };

  it('is chosen where there is no bubblewrap', async () => {
    expect(host.bubblewrap).toBeUndefined();
    expect(host.landlockAbi).toBeGreaterThan(0);
    expect((await prepare(readOnly(), 'true')).restrict?.landlock).toBeDefined();
  });

  it('keeps writes inside the roots', async () => {
    const result = await run(
      workspaceWrite({ temporaryDirectories: false }),
      `echo in > in; echo x > ${outside}/file; (: > ${outside}/file); echo x > ${outside}/new; rm ${outside}/file; mv ${outside}/file .; ln ${outside}/file link; echo x > /tmp/sandbox-landlock; echo fine > /dev/null; cat in`,
    );
    expect(result.output).toContain('in\n');
    expect(readFileSync(`${outside}/file`, 'utf8')).toBe('outside');
    for (const path of [`${outside}/new`, '/tmp/sandbox-landlock', `${ws}/link`])
      expect(existsSync(path)).toBe(false);
  });

  const minimal: SandboxPolicy = {
    fileSystem: {
      type: 'restricted',
      entries: [
        { path: { type: 'minimal' }, access: 'read' },
        { path: { type: 'workspaceRoots' }, access: 'write' },
      ],
    },
    network: 'restricted',
  };

  it('restricts reading to what is granted', async () => {
    const result = await run(minimal, `cat ${outside}/file; ls /root; echo ran`);
    expect(result.output).not.toContain('outside\n');
    expect(result.output).toContain('ran\n');
    expect(result.output).toContain('Permission denied');
  });

  it('lets ask about what cannot be read only where that is accepted by name', async () => {
    const accepted = await run(minimal, `stat -c %s ${outside}/file`);
    expect(accepted.output).toBe(`${'outside'.length}\n`);
    const others = everything.filter((form) => form !== 'hidden-attributes');
    await expect(prepare(minimal, 'true', others)).rejects.toThrow(/accept it by name: hidden-attributes/);
    // With all of the disk to read there is nothing to hide.
    await expect(prepare(readOnly(), 'true', others)).resolves.toMatchObject({ type: 'linuxSeccomp' });
  });

  it('opens no socket, mounts nothing and signals nobody outside', async () => {
    const script = `perl -e 'use Socket; for (1, 2, 10, 16, 17) { print "socket $_\\n" if socket(my $s, $_, SOCK_DGRAM, 0) }'; mount -t tmpfs none /mnt && echo mounted; unshare -U true && echo namespace; kill -0 ${process.pid} && echo signalled; cat /proc/${process.pid}/environ | head -c 10; true`;
    const result = await run(readOnly(), script);
    for (const word of ['socket', 'mounted', 'namespace\n', 'signalled'])
      expect(result.output).not.toContain(word);
  });

  it.each([
    ['files', workspaceWrite({ network: 'enabled', temporaryDirectories: false })],
    [
      'no files',
      {
        fileSystem: { type: 'unrestricted' },
        network: 'enabled',
        unixSockets: 'none',
      } satisfies SandboxPolicy,
    ],
  ])('refuses ports where the policy restricts %s', async (_what, policy) => {
    const servers = [createServer((socket) => socket.end()), createServer((socket) => socket.end())];
    const ports = await Promise.all(
      servers.map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        onTestFinished(() => void server.close());
        return (server.address() as AddressInfo).port;
      }),
    );
    const script = ports
      .map((port) => `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo ${port}`)
      .join('; ');
    const words = `bash -c '${script}; perl -MSocket -e "print qq(unix\\n) if socket(S, AF_UNIX, SOCK_STREAM, 0)"'`;
    const result = await run(policy, words, { refusedPorts: [ports[0] ?? 0] });
    expect(result.output).toBe(`${ports[1]}\n`);
  });

  it('writes nothing into folders of the caller, whatever the policy says: such a policy is refused', async () => {
    mkdirSync(`${ws}/own`);
    const attempt = prepare(workspaceWrite(), 'true', everything, { ownFolders: [`${ws}/own`] });
    await expect(attempt).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining(`${ws}/own`),
    });
    const result = await run(readOnly(), 'echo ran', { ownFolders: [`${ws}/own`] });
    expect(result.output).toBe('ran\n');
  });

  it('refuses what it cannot express, and names the way out', async () => {
    await expect(prepare(workspaceWrite(), 'true', ['host-proc', 'root-capabilities'])).rejects.toMatchObject(
      {
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('unprotected-metadata'),
      },
    );
    await expect(prepare(readOnly({ deny: [outside] }), 'true')).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    await expect(prepare(workspaceWrite({ deny: [`${ws}/**/*.env`] }), 'true')).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    await expect(prepare(readOnly({ network: 'loopback' }), 'true')).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
  });

  it('without Landlock the error says what to install', async () => {
    const bare = { ...host, landlockAbi: 0 };
    const attempt = prepareSandbox({ argv: ['true'], cwd: ws, env: {}, policy: readOnly() }, { host: bare });
    await expect(attempt).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringMatching(/bubblewrap.*install/),
    });
  });

  it('a kernel that refuses a fresh /proc is an error unless accepted by name', async () => {
    const nested = { ...(await probeLinuxHost()), mountsProc: false };
    const attempt = prepareSandbox(
      { argv: ['true'], cwd: ws, env: {}, policy: readOnly() },
      { host: nested },
    );
    await expect(attempt).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('host-proc'),
    });
    const accepted = await prepareSandbox(
      { argv: ['true'], cwd: ws, env: {}, policy: readOnly(), accept: ['host-proc'] },
      { host: nested },
    );
    accepted.finish();
  });
});
