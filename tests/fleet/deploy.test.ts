// The files of deploy/: against the schemas of Kubernetes, and started command by command. What they do in a cluster is not
// known from this: no API server runs here.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExecServerClient } from '@codex/exec-client';
import { FleetKeys } from '@codex/exec-fleet';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { freePort, startBroker } from './support/broker.js';
import { findBroker } from './support/nats-server.js';
import { startCommand, startProgram } from './support/programs.js';
import { until } from './support/until.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly podTemplate?: PodTemplate;
  };
}

interface PodTemplate {
  readonly spec: { readonly containers: readonly { readonly command: string[] }[] };
}

const inDeploy = (path: string): string => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));
const read = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(inDeploy(`kubernetes/${file}`), 'utf8')).map(
    (document) => document.toJS() as Manifest,
  );
const KINDS: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  Deployment,
  StatefulSet,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Namespace,
  Service,
  ScaledObject,
};

/** What a kustomization leads to, as kustomize reads it: files, and folders with another one. */
function resourcesOf(folder: string): string[] {
  const [own] = read(join(folder, 'kustomization.yaml'));
  const { resources } = own as unknown as { readonly resources: readonly string[] };
  return resources.flatMap((entry) => {
    const path = join(folder, entry);
    // It takes no file from elsewhere, and no folder that this one is in.
    const isFile = entry.endsWith('.yaml');
    if (isFile ? dirname(path) !== folder : `${folder}/`.startsWith(`${path}/`) || path === '.')
      throw new Error(`kustomize does not take ${entry} in ${folder}`);
    return isFile ? [path] : resourcesOf(path);
  });
}

const VARIANTS = ['fleet', 'autoscaling', 'warm-pool'];
const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
const manifests = [...new Set(VARIANTS.flatMap(resourcesOf))].flatMap(read);
const find = (kind: string, name: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const commandOf = (name: string): string[] =>
  find('Deployment', name)?.spec?.template?.spec.containers[0]?.command ?? [];

/** Of agent-sandbox there are no schemas here; its own kinds are looked at by hand, and the pod in them as any other. */
const isForeign = ({ apiVersion }: Manifest): boolean => apiVersion === 'extensions.agents.x-k8s.io/v1alpha1';

describe('manifests', () => {
  const built = (variant: string): string[] =>
    parseAllDocuments(
      execFileSync('kubectl', ['kustomize', inDeploy(`kubernetes/${variant}`)], { encoding: 'utf8' }),
    )
      .map((document) => document.toJS() as Manifest)
      .map(({ kind, metadata: { name } }) => `${kind} ${name}`);

  it.skipIf(!hasKubectl)('are what kustomize makes of them, in every variant', () => {
    const all = built('fleet');
    expect(all.sort()).toEqual(
      resourcesOf('fleet')
        .flatMap(read)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort(),
    );
    expect(built('autoscaling').sort()).toEqual([...all, 'ScaledObject executor'].sort());
    // Its pods are those of the pool, behind the same policy of the network.
    const own = ['Deployment executor', 'PodDisruptionBudget executor'];
    const pool = ['SandboxTemplate executor', 'SandboxWarmPool executor'];
    expect(built('warm-pool').sort()).toEqual([...all.filter((one) => !own.includes(one)), ...pool].sort());
  });

  it('of a warm pool have the pods of the Deployment', () => {
    const template = find('SandboxTemplate', 'executor')?.spec?.podTemplate;
    const pool = find('SandboxWarmPool', 'executor');
    expect(manifests.filter(isForeign)).toHaveLength(2);
    expect(pool?.spec).toEqual({ replicas: 3, sandboxTemplateRef: { name: 'executor' } });
    expect(template?.spec.containers[0]?.command).toEqual(commandOf('executor'));
    const metadata = { name: 'executor' };
    new Deployment({
      metadata,
      spec: { selector: { matchLabels: { app: 'executor' } }, template },
    } as never).validate();
  });

  it.each(
    manifests
      .filter((manifest) => !isForeign(manifest))
      .map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const),
  )('%s', (_, manifest) => {
    const Kind = KINDS[manifest.kind];
    if (Kind === undefined) throw new Error(`no schema for ${manifest.kind}`);
    new Kind(manifest as never).validate();
  });
});

describe('their commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-deploy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('start a broker, a machine, a gateway and numbers that work together', async () => {
    for (const name of ['credentials', 'broker', 'tls']) mkdirSync(join(folder, name), { mode: 0o700 });
    const inFolder = (...parts: string[]): string => join(folder, ...parts);
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
        .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'])
        .concat(['-keyout', inFolder('tls', 'tls.key'), '-out', inFolder('tls', 'tls.crt')]),
      { stdio: 'pipe' },
    );
    writeFileSync(inFolder('broker', 'ca.crt'), readFileSync(inFolder('tls', 'tls.crt')));
    const token = 'a-token-of-more-than-thirty-two-characters';
    writeFileSync(inFolder('credentials', 'token'), token, { mode: 0o600 });
    const keys = FleetKeys.create(inFolder('keys'), ['default']);
    for (const role of ['executor', 'gateway', 'observer'] as const) {
      const environments = role === 'observer' ? ['*'] : ['default'];
      const { credentials } = keys.mint({ account: 'default', role, environments, name: role, machine: '*' });
      writeFileSync(inFolder('credentials', `${role}.creds`), credentials, { mode: 0o600 });
    }
    const conf = manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['nats.conf'] ?? '';
    const lines = conf.split('\n').filter((line) => !/^(?:listen|http|cluster|include|pid_file)/.test(line));
    const broker = await startBroker({
      config: `${lines.join('\n').replaceAll('/tls/', `${folder}/tls/`)}\n${keys.brokerConfig()}`,
    });
    const port = await freePort();
    const here = (word: string): string =>
      word
        .replace('tls://nats:4222', broker.url.replace('nats:', 'tls:'))
        .replace('$(POD_NAME)', 'executor-1')
        .replace('0.0.0.0:8080', '127.0.0.1:0')
        .replace('0.0.0.0:7777', `127.0.0.1:${port}`)
        .replace(/=\/(credentials|broker|tls)\//, `=${folder}/$1/`);
    const machine = await startProgram(commandOf('executor').slice(1).map(here));
    const gateway = await startProgram(commandOf('gateway').slice(1).map(here));
    const metrics = await startProgram(commandOf('fleet-metrics').slice(1).map(here));
    expect(gateway.line).toBe(`wss://127.0.0.1:${port}`);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const client = await ExecServerClient.connect(gateway.line, { token });
    expect((await client.run('echo deployed')).stdout.text).toBe('deployed\n');
    const slots = metrics.line.replace('/metrics', '/slots');
    await until(async () => (await (await fetch(slots)).text()).includes('"busy":1'));
    await client.close();
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    await Promise.all([metrics.stop(), gateway.stop(), machine.stop()]);
    await broker.stop();
  });
});

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
