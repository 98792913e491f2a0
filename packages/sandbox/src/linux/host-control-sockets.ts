// Unix sockets that hand out control over the host. With the network enabled a command may use unix sockets, and these
// would let it out; they are hidden unless the policy names them. Sockets elsewhere, and abstract ones, stay reachable.
import { existsSync, readdirSync } from 'node:fs';

const fixed = [
  '/run/docker.sock',
  '/run/containerd',
  '/run/crio',
  '/run/podman',
  '/run/dbus/system_bus_socket',
  '/run/systemd/private',
  '/run/systemd/io.systemd.ManagedOOM',
  '/run/libvirt',
  '/run/snapd.socket',
  '/run/lxd.socket',
  '/var/lib/lxd/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
];

/** The existing ones. `/run/user/*` holds the session bus, the user's service manager and the key agents. */
export function hostControlSockets(): string[] {
  return [...fixed, ...userRuntimeDirectories()].filter((path) => existsSync(path));
}

function userRuntimeDirectories(): string[] {
  try {
    return readdirSync('/run/user').map((name) => `/run/user/${name}`);
  } catch {
    return [];
  }
}
