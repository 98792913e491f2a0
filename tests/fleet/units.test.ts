// The units of deploy/systemd: looked at by systemd's own tool, and started command by command. No systemd starts them here.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FleetKeys } from '@codex/exec-fleet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, startBroker } from './support/broker.js';
import { findBroker } from './support/nats-server.js';
import { startCommand, startProgram } from './support/programs.js';
import { until } from './support/until.js';

const inDeploy = (path: string): string => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('units', () => {
  it.skipIf(!hasSystemd).each(['machine', 'gateway', 'broker'])(
    '%s is one that systemd understands',
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'fleet-unit-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = `exec-server-${name}.service`;
      // The programs need not be installed where the tests run.
      const unit = readFileSync(inDeploy(`systemd/${file}`), 'utf8').replace(
        /^(ExecStart=)\S+/m,
        '$1/bin/true',
      );
      const complaints = (text: string): string => {
        writeFileSync(join(folder, file), text);
        return spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, file)], { encoding: 'utf8' })
          .stderr;
      };
      expect(complaints(unit)).toBe('');
      expect(complaints(unit.replace(/^Restart=/m, 'Restarts='))).toContain("Unknown key 'Restarts'");
    },
  );

  it.each(['exec-server-machine.service', 'exec-server-gateway.service'])(
    '%s starts a command line that is understood',
    async (file) => {
      const unit = readFileSync(inDeploy(`systemd/${file}`), 'utf8');
      const [, line = ''] = /^ExecStart=\/usr\/bin\/exec-server (.*)$/m.exec(unit) ?? [];
      const settings = Object.fromEntries(
        readFileSync(inDeploy('systemd/machine.env'), 'utf8')
          .split('\n')
          .filter((entry) => /^\w+=/.test(entry))
          .map((entry) => entry.split('=') as [string, string]),
      );
      const broker = await startBroker();
      const credentials = mkdtempSync(join(tmpdir(), 'fleet-unit-'));
      onTestFinished(() => rmSync(credentials, { recursive: true }));
      const keys = FleetKeys.create(join(credentials, 'keys'), ['default']);
      for (const role of ['executor', 'gateway'] as const) {
        const text = keys.mint({
          account: 'default',
          role,
          environments: ['default'],
          name: role,
          machine: '*',
        }).credentials;
        writeFileSync(join(credentials, `${role}.creds`), text, { mode: 0o600 });
      }
      const words = line
        .replaceAll(/\$\{?CREDENTIALS_DIRECTORY\}?/g, credentials)
        .replace('tls://broker.example:4222', broker.url)
        .replace('127.0.0.1:7777', '127.0.0.1:0')
        .split(' ');
      const env = { ...settings, EXEC_SERVER_FLEET: broker.url, EXEC_SERVER_STATUS_LISTEN: '127.0.0.1:0' };
      const program = await startProgram(words, file.includes('machine') ? env : {});
      expect(program.line).toMatch(/^(?:nats|ws):\/\/127\.0\.0\.1:\d+/);
      await program.stop();
      await broker.stop();
    },
  );

  it('exec-server-broker.service starts the broker of `fleet init`, which obeys its signals', async () => {
    const unit = readFileSync(inDeploy('systemd/exec-server-broker.service'), 'utf8');
    const [, line = ''] = /^ExecStart=\/usr\/sbin\/nats-server (.*)$/m.exec(unit) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'fleet-unit-'));
    const keys = FleetKeys.create(join(folder, 'keys'), ['default']);
    writeFileSync(join(folder, 'accounts.conf'), keys.brokerConfig());
    const listening = `listen: "127.0.0.1:${await freePort()}"`;
    writeFileSync(
      join(folder, 'broker.conf'),
      `${listening}\nlame_duck_duration: "30s"\nlame_duck_grace_period: "1s"\ninclude accounts.conf\n`,
    );
    const words = line.replace('/etc/exec-server/fleet', folder).split(' ');
    const broker = await startCommand(findBroker(), words, { sign: /Server is ready/ });
    expect(unit).toContain('ExecReload=/bin/kill -HUP $MAINPID');
    broker.signal('SIGHUP');
    await until(() => broker.stderr().includes('Reloaded server configuration'));
    const [, stop = ''] = /^KillSignal=(\w+)$/m.exec(unit) ?? [];
    broker.signal(stop as NodeJS.Signals);
    await until(() => broker.stderr().includes('Entering lame duck mode'));
    expect(await broker.exited).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });
});
