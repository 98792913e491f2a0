// A real nats-server for the tests: the one that NATS_SERVER names, or Debian's package, unpacked into the user's cache
// folder. Nothing is installed, no service is started, no root is needed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Which release of Debian has which version. The oldest is the hostile case: its ping takes a frozen client for alive. */
const BROKER_SUITES: Readonly<Record<string, string>> = {
  '2.9.10': 'bookworm',
  '2.10.27': 'trixie',
  '2.15.1': 'sid',
};
const USUAL_BROKER = '2.10.27';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'codex-exec-server-tests', 'nats-server');

/** The path of the program; throws with a sentence that says what to do. */
export function findBroker(version = USUAL_BROKER): string {
  const named = process.env['NATS_SERVER'];
  if (named !== undefined && named !== '' && version === USUAL_BROKER) return named;
  const folder = join(cacheFolder(), version);
  const program = join(folder, 'nats-server');
  if (!existsSync(program)) fetchBroker(version, folder);
  return program;
}

/** The archive that this machine installs from; other releases lie beside its own. */
function debianArchive(): string {
  const sites = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)', 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const archive = sites.split('\n').find((site) => site.endsWith('/debian'));
  if (archive === undefined) throw new Error("apt-get has no source that is Debian's own archive");
  return archive;
}

function fetchBroker(version: string, folder: string): void {
  const suite = BROKER_SUITES[version];
  const work = join(cacheFolder(), `.fetch-${process.pid}`);
  mkdirSync(join(work, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(work, 'cache', 'archives', 'partial'), { recursive: true });
  try {
    writeFileSync(
      join(work, 'sources.list'),
      `deb [signed-by=${KEYRING}] ${debianArchive()} ${suite} main\n`,
    );
    const options = [
      `Dir::Etc::SourceList=${work}/sources.list`,
      'Dir::Etc::SourceParts=-',
      `Dir::State::Lists=${work}/lists`,
      `Dir::Cache=${work}/cache`,
      'Acquire::Languages=none',
      // As root, apt would download as a user who cannot write here.
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option]);
    const apt = (...args: string[]): unknown =>
      execFileSync('apt-get', [...options, '-q', ...args], { cwd: work, stdio: 'pipe' });
    apt('update');
    apt('download', 'nats-server');
    const [archive] = readdirSync(work).filter((name) => name.endsWith('.deb'));
    if (!archive?.startsWith(`nats-server_${version}`)) throw new Error(`${suite} has ${archive} now`);
    execFileSync('dpkg', ['-x', archive, 'unpacked'], { cwd: work });
    mkdirSync(folder, { recursive: true });
    renameSync(join(work, 'unpacked', 'usr', 'sbin', 'nats-server'), join(folder, 'nats-server'));
  } catch (cause) {
    const stderr = String(Reflect.get(Object(cause), 'stderr') ?? '').trim();
    const why = stderr === '' ? String(cause) : stderr;
    throw new Error(`no nats-server ${version}: ${why}; set NATS_SERVER to one that is installed`, { cause });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
