// OpenAI's own `codex exec-server forward` in front of our server: a remote environment of the CLI that ends here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { playOnOurs } from '../compare/both-servers.js';
import { codex } from '../servers/exec-servers.js';
import { plainEnvironment } from '../servers/plain-environment.js';
import { StandInRegistry } from '../servers/stand-in-registry.js';

const ENVIRONMENT = 'env-1';

it('runs commands and patches of the CLI through a registry and a relay', async () => {
  const registry = await StandInRegistry.start();
  const home = codex().makeHome();
  let forwarder: ReturnType<typeof spawn> | undefined;
  try {
    const address = async (url: string) => {
      const target = ['--connect', url, '--remote', registry.url, '--environment-id', ENVIRONMENT];
      forwarder = spawn(
        codex().binary,
        ['exec-server', 'forward', ...target, '--registration-bearer-stdin'],
        {
          env: { ...plainEnvironment(home.path), CODEX_HOME: home.path },
          stdio: ['pipe', 'ignore', 'inherit'],
        },
      );
      forwarder.stdin?.write('bearer\n');
      await registry.registered;
      return { via: 'registry', url: registry.url, environmentId: ENVIRONMENT, token: 'token' } as const;
    };
    await playOnOurs(
      async (model) => {
        expect(await model.exec('echo hello; exit 3')).toContain('hello\n');
        await model.patch('*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch\n');
        expect(await model.exec('cat b.txt')).toContain('b\n');
      },
      { address },
    );
    expect(registry.requests).toEqual(['register', 'connect', 'validate']);
  } finally {
    if (forwarder !== undefined && forwarder.exitCode === null) {
      forwarder.kill('SIGKILL');
      await once(forwarder, 'close');
    }
    await registry.close();
    home.remove();
  }
});
