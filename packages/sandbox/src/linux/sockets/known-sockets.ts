// Where programs that obey any client put their sockets.

/** Containers, virtual machines, service managers, buses, screens: a socket, or a directory that holds nothing else. */
export const fixedPlaces: readonly string[] = [
  '/run/docker.sock',
  '/run/docker',
  '/run/cri-dockerd.sock',
  '/run/containerd',
  '/run/k3s/containerd',
  '/run/crio',
  '/run/podman',
  '/run/buildkit',
  '/run/libvirt',
  '/run/snapd.socket',
  '/run/snapd-snap.socket',
  '/run/lxd.socket',
  '/run/incus',
  '/var/lib/lxd/unix.socket',
  '/var/lib/incus/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/run/dbus/system_bus_socket',
  '/run/systemd/private',
  '/run/systemd/io.systemd.ManagedOOM',
  '/run/udev/control',
  '/run/pcscd',
  '/run/tailscale',
  '/run/supervisor.sock',
  '/run/screen',
  '/tmp/.X11-unix',
  '/tmp/.ICE-unix',
];

/** Below the home directory of the user. */
export const homePlaces: readonly string[] = [
  '.docker/run',
  '.docker/desktop',
  '.colima',
  '.rd/docker.sock',
  '.orbstack/run',
  '.screen',
  '.local/share/containers/podman/machine',
  '.1password/agent.sock',
  '.bitwarden-ssh-agent.sock',
  '.emacs.d/server',
];

export interface SocketPattern {
  readonly directory: string;
  readonly name: RegExp;
  /** Directories of such names hold something else. */
  readonly onlySockets?: true;
}

/** Directories and sockets with numbers or random letters in their names. */
export function patternsIn(places: { home: string; temporary: readonly string[] }): SocketPattern[] {
  return [
    // The session bus, the user's service manager, Wayland and the key agents.
    { directory: '/run/user', name: /./ },
    { directory: `${places.home}/.gnupg`, name: /^S\./ },
    // Agents of OpenSSH 10.1 and later, and open connections, which whoever reaches them uses without a key.
    { directory: `${places.home}/.ssh`, name: /^(agent|sockets?|cm|ctl|mux|masters?|controlmasters?)$/ },
    { directory: `${places.home}/.ssh`, name: /./, onlySockets: true },
    ...[...new Set(places.temporary)].map((directory) => ({ directory, name: temporaryNames })),
  ];
}

const temporaryNames = new RegExp(
  [
    // Terminals that run what they are told.
    'tmux-.*|screens|uscreens|kitty-.*|mykitty.*',
    // Key agents.
    'ssh-.*|gpg-.*|keyring-.*',
    'dbus-.*',
    // Editors.
    'vscode-.*\\.sock|nvim.*|emacs\\d+|\\.?zed-.*',
    'docker.*\\.sock|podman-run-.*|codex-daemon-.*',
  ]
    .map((names) => `^(${names})$`)
    .join('|'),
);

const pathVariables = [
  'SSH_AUTH_SOCK',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'TMUX',
  'GPG_AGENT_INFO',
  'NVIM',
  'NVIM_LISTEN_ADDRESS',
  'VSCODE_IPC_HOOK',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'KITTY_LISTEN_ON',
  'WEZTERM_UNIX_SOCKET',
  'I3SOCK',
  'SWAYSOCK',
  'PULSE_SERVER',
];

/** The paths in values like `/a/b`, `unix:///a/b`, `unix:path=/a/b,guid=…` and `/a/b,123,0`. */
export function namedByVariable(environment: Readonly<Record<string, string | undefined>>): string[] {
  const paths = pathVariables.flatMap((name) =>
    (environment[name] ?? '')
      .split(/[,;]/)
      .flatMap((part) => /^(?:unix:(?:\/\/|path=)?)?(\/.+)$/.exec(part)?.[1] ?? []),
  );
  const { WAYLAND_DISPLAY: display = '', XDG_RUNTIME_DIR: runtime = '' } = environment;
  if (display.startsWith('/')) paths.push(display);
  else if (display !== '' && runtime.startsWith('/')) paths.push(`${runtime}/${display}`);
  return paths;
}
