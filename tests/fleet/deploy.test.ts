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
import { type Broker, freePort, startBroker } from './support/broker.js';
import { startProgram } from './support/programs.js';
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

/** One that is its own authority. */
function makeCertificate(folder: string): void {
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'])
      .concat(['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')]),
    { stdio: 'pipe' },
  );
  writeFileSync(join(folder, 'ca.crt'), readFileSync(join(folder, 'tls.crt')));
}

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
    makeCertificate(inFolder('tls'));
    writeFileSync(inFolder('broker', 'ca.crt'), readFileSync(inFolder('tls', 'ca.crt')));
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

it('brokers of the manifests know each other by their certificate, and nobody else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  makeCertificate(folder);
  const conf = manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['nats.conf'] ?? '';
  const line = /^cluster: .*$/m.exec(conf)?.[0].replaceAll('/tls/', `${folder}/`) ?? '';
  const ports = [await freePort(), await freePort()];
  const routes = `routes: [${ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}]`;
  const start = (port: number, cluster: string) =>
    startBroker({
      config: `server_name: "b${port}"\n${cluster
        .replace('0.0.0.0:6222', `127.0.0.1:${port}`)
        .replace(/routes: \[.*?\]/, routes)}`,
    });
  const brokers = await Promise.all(ports.map((port) => start(port, line)));
  // As somebody who reaches the port and was given no certificate.
  const stranger = await start(await freePort(), line.replace(/, tls: \{.*?\}/, ''));
  onTestFinished(async () => {
    await Promise.all([...brokers, stranger].map((broker) => broker.stop()));
  });
  const knows = async ({ monitorUrl }: Broker): Promise<string[]> => {
    const answer = (await (await fetch(`${monitorUrl}/routez`)).json()) as {
      readonly routes: readonly { readonly remote_name?: string }[];
    };
    return [...new Set(answer.routes.map(({ remote_name = '' }) => remote_name))].sort();
  };
  const names = ports.map((port) => `b${port}`);
  for (const [index, broker] of brokers.entries())
    await until(async () => (await knows(broker)).join() === names[1 - index]);
  // It has dialled both of them since it started, some times a second.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await knows(stranger)).toEqual([]);
  expect(await Promise.all(brokers.map(knows))).toEqual([[names[1]], [names[0]]]);
});
