// Builds the patched Bash (bash/) from Debian's source package into the user's cache folder, once for each patch and machine.
// Takes about a minute; needs apt-get, cc, make and patch. The source is fetched with private lists: nothing of the system changes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sourceFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'bash');

const RECIPE = JSON.parse(readFileSync(join(sourceFolder, 'recipe.json'), 'utf8'));

/** Where the built shell is, or will be. The name has the hash of everything that makes it. Twin: src/shells/patched-bash.ts. */
export function patchedBashPath(environment = process.env) {
  const cache = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, process.arch]));
  for (const file of ['exec-judge.patch', 'exec-judge.c'])
    hash.update(readFileSync(join(sourceFolder, file)));
  return join(cache, 'codex-escalation', `bash-${RECIPE.version}-${hash.digest('hex').slice(0, 16)}`, 'bash');
}

/** Resolves with the path. Rejects with a sentence that says what is missing or went wrong. */
export async function buildBash({ say = () => {} } = {}) {
  const bash = patchedBashPath();
  if (existsSync(bash)) return bash;
  await checkTools();
  const cache = dirname(dirname(bash));
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'build-'));
  try {
    say(`Building Bash ${RECIPE.version} with the patch of exec interception, once, about a minute …`);
    const built = await build(work, await download(work));
    await probe(built);
    mkdirSync(dirname(bash), { recursive: true });
    renameSync(built, bash);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return bash;
}

async function checkTools() {
  const missing = [];
  for (const tool of ['apt-get', 'cc', 'make', 'patch', 'tar']) {
    await run(tool, ['--version']).catch(() => missing.push(tool));
  }
  if (missing.length === 0) return;
  throw new Error(
    `the patched Bash cannot be built without ${missing.join(', ')} ` +
      '(Debian, Ubuntu: apt-get install gcc libc6-dev make patch tar)',
  );
}

/** The system's own package sources, as sources of source packages. */
function privateSources(folder) {
  const system = '/etc/apt';
  const files = [join(system, 'sources.list')];
  const parts = join(system, 'sources.list.d');
  if (existsSync(parts)) files.push(...readdirSync(parts).map((name) => join(parts, name)));
  mkdirSync(folder);
  let count = 0;
  for (const file of files.filter((each) => existsSync(each) && /\.(list|sources)$/.test(each))) {
    const text = readFileSync(file, 'utf8');
    const isList = file.endsWith('.list');
    const changed = isList
      ? text.replace(/^deb\s/gm, 'deb-src ')
      : text.replace(/^Types:.*$/gm, 'Types: deb-src');
    if (!/debian|ubuntu/i.test(text) || changed.trim() === '') continue;
    writeFileSync(join(folder, `${count++}.${isList ? 'list' : 'sources'}`), changed);
  }
}

async function download(work) {
  const parts = join(work, 'sources');
  privateSources(parts);
  for (const folder of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(work, 'apt', folder), { recursive: true });
  }
  const options = [
    'Dir::Etc::SourceList=/dev/null',
    `Dir::Etc::SourceParts=${parts}`,
    `Dir::State::Lists=${join(work, 'apt', 'lists')}`,
    `Dir::Cache=${join(work, 'apt', 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  // Sources that this machine cannot reach or verify are left out; whether Bash is among the others is seen below.
  await run('apt-get', [...options, '-q', 'update'], { cwd: work }).catch(() => {});
  const wanted = ['-q', 'source', '--download-only', '--only-source', 'bash'];
  await run('apt-get', [...options, ...wanted], { cwd: work }).catch((error) => {
    throw new Error(`apt-get cannot fetch the source package of bash: ${lastLines(error.stderr)}`);
  });
  const archive = join(work, RECIPE.file);
  if (!existsSync(archive)) {
    const found = readdirSync(work).filter((name) => name.startsWith('bash_'));
    throw new Error(
      `this system's source of bash is not ${RECIPE.file} but ${found.join(', ') || 'missing'}`,
    );
  }
  const content = readFileSync(archive);
  if (
    content.length !== RECIPE.bytes ||
    createHash('sha256').update(content).digest('hex') !== RECIPE.sha256
  ) {
    throw new Error(`${RECIPE.file} is not the file that is expected: its SHA-256 differs`);
  }
  return archive;
}

async function build(work, archive) {
  await run('tar', ['xzf', archive, '-C', work]);
  const source = join(work, `bash-${RECIPE.version}`);
  writeFileSync(join(source, 'exec-judge.c'), readFileSync(join(sourceFolder, 'exec-judge.c')));
  await run('patch', ['-p1', '-i', join(sourceFolder, 'exec-judge.patch')], { cwd: source });
  const options = { cwd: source, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CFLAGS: '-O2 -w' } };
  try {
    await run('./configure', RECIPE.configure, options);
    await run('make', [`-j${Math.min(availableParallelism(), 4)}`, 'bash'], options);
    await run('strip', ['bash'], options).catch(() => {});
  } catch (error) {
    throw new Error(`the patched Bash does not build: ${lastLines(error.stderr)}`);
  }
  return join(source, 'bash');
}

/** A shell that asks cannot run /bin/true when the one it asks always refuses. */
async function probe(bash) {
  const runs = (env) =>
    run(bash, ['--norc', '-c', '/bin/true'], { env }).then(
      () => true,
      () => false,
    );
  if ((await runs({})) && !(await runs({ BASH_EXEC_WRAPPER: '/bin/false' }))) return;
  throw new Error('the patched Bash was built, but does not ask before it executes');
}

function lastLines(text) {
  return String(text ?? '')
    .trim()
    .split('\n')
    .slice(-5)
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const bash = await buildBash({ say: (sentence) => process.stderr.write(`${sentence}\n`) });
    process.stdout.write(`${bash}\n`);
  } catch (error) {
    process.stderr.write(`✗ ${error.message}\n`);
    process.exitCode = 1;
  }
}
