// Lists which prerequisites of a sandbox this host has, and the command that adds a missing one.
import { readFileSync } from 'node:fs';
import { bindByHandleOptions } from './bubblewrap/bwrap-arguments.js';
import { type LinuxHost, requiredOptions } from './host-probe.js';

export interface HostFinding {
  readonly id:
    | 'platform'
    | 'bubblewrap'
    | 'namespaces'
    | 'proc'
    | 'bind-by-handle'
    | 'terminal-signals'
    | 'landlock'
    | 'filter';
  /** `weaker`: the sandbox works, with the restriction that `detail` names. */
  readonly status: 'ok' | 'weaker' | 'missing';
  readonly detail: string;
  /** A command line that fixes it, to be run as root. */
  readonly fix?: string;
}

export function linuxFindings(host: LinuxHost): HostFinding[] {
  const findings = [bubblewrapFinding(host), namespaceFinding(host), procFinding(host)];
  const known = host.bubblewrap?.options;
  if (host.bubblewrap !== undefined && !bindByHandleOptions.every((option) => known?.has(option))) {
    findings.push({
      id: 'bind-by-handle',
      status: 'weaker',
      detail: `bubblewrap ${host.bubblewrap.version} mounts by name: two commands in one workspace can race, and open what is denied`,
      fix: installCommand(),
    });
  }
  if (host.signalEnv === undefined) {
    findings.push({
      id: 'terminal-signals',
      status: 'weaker',
      detail: 'no GNU env: Ctrl-C ends a sandboxed terminal at once',
    });
  }
  findings.push(landlockFinding(host));
  const hasFilter = process.arch === 'x64' || process.arch === 'arm64';
  findings.push({
    id: 'filter',
    status: hasFilter ? 'ok' : 'missing',
    detail: `system call filter for ${process.arch}`,
  });
  return findings;
}

function bubblewrapFinding({ bubblewrap }: LinuxHost): HostFinding {
  if (bubblewrap === undefined) {
    return {
      id: 'bubblewrap',
      status: 'missing',
      detail: 'bubblewrap is not installed',
      fix: installCommand(),
    };
  }
  const absent = requiredOptions.filter((option) => !bubblewrap.options.has(option));
  const detail = `bubblewrap ${bubblewrap.version} at ${bubblewrap.path}`;
  if (absent.length === 0) return { id: 'bubblewrap', status: 'ok', detail };
  return {
    id: 'bubblewrap',
    status: 'missing',
    detail: `${detail} is too old (no ${absent.join(', ')})`,
    fix: installCommand(),
  };
}

function namespaceFinding(host: LinuxHost): HostFinding {
  const { namespaces } = host;
  if (namespaces.works)
    return { id: 'namespaces', status: 'ok', detail: 'user, pid, network and mount namespaces' };
  if (namespaces.reason === 'no-bubblewrap' || namespaces.reason === 'missing-option') {
    return { id: 'namespaces', status: 'missing', detail: 'not tried without a usable bubblewrap' };
  }
  return {
    id: 'namespaces',
    status: 'missing',
    detail: `bubblewrap cannot start: ${namespaces.message}`,
    fix: namespaceFix(host),
  };
}

function namespaceFix(host: LinuxHost): string {
  if (host.isWsl1) return 'wsl --set-version <distribution> 2';
  if (host.maxUserNamespaces === 0) return 'sysctl -w user.max_user_namespaces=15000';
  if (!host.unprivilegedClone) return 'sysctl -w kernel.unprivileged_userns_clone=1';
  if (host.appArmorRestrictsNamespaces) {
    const path = host.bubblewrap?.path ?? '/usr/bin/bwrap';
    const profile = `abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap ${path} flags=(unconfined) {\\n  userns,\\n}\\n`;
    return `printf '${profile}' > /etc/apparmor.d/bwrap && apparmor_parser -r /etc/apparmor.d/bwrap`;
  }
  return 'docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined … (in a container), or allow user namespaces';
}

function procFinding(host: LinuxHost): HostFinding {
  if (host.mountsProc) return { id: 'proc', status: 'ok', detail: 'a fresh /proc for every command' };
  if (!host.namespaces.works) return { id: 'proc', status: 'missing', detail: 'not tried' };
  return {
    id: 'proc',
    status: 'missing',
    detail: 'the kernel refuses a fresh /proc (a container masks its own)',
    fix: 'docker run --security-opt systempaths=unconfined …',
  };
}

function landlockFinding({ landlockAbi }: LinuxHost): HostFinding {
  if (landlockAbi === undefined) {
    return {
      id: 'landlock',
      status: 'weaker',
      detail: 'unknown: the launcher program is missing',
      fix: 'npm run setup',
    };
  }
  if (landlockAbi === 0) {
    return {
      id: 'landlock',
      status: 'weaker',
      detail: 'not in this kernel, or off',
      fix: 'add lsm=landlock,… to the kernel command line',
    };
  }
  const status = landlockAbi >= 6 ? 'ok' : 'weaker';
  const missing =
    landlockAbi >= 6 ? '' : landlockAbi >= 4 ? '; no signal scope' : '; no TCP rules, no signal scope';
  return { id: 'landlock', status, detail: `ABI ${landlockAbi}${missing}` };
}

const installers: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu/, 'apt-get install -y bubblewrap'],
  [/fedora|rhel|centos/, 'dnf install -y bubblewrap'],
  [/alpine/, 'apk add bubblewrap'],
  [/arch/, 'pacman -S --noconfirm bubblewrap'],
  [/suse/, 'zypper install -y bubblewrap'],
];

function installCommand(): string {
  let release = '';
  try {
    release = readFileSync('/etc/os-release', 'utf8')
      .split('\n')
      .filter((line) => /^ID(_LIKE)?=/.test(line))
      .join(' ');
  } catch {
    // Unknown distribution: the package has the same name everywhere.
  }
  return installers.find(([pattern]) => pattern.test(release))?.[1] ?? 'install the package "bubblewrap"';
}
