// The system call filter of the sandbox. Default allow; what is listed fails with an error that programs handle.
// It restricts the creation of sockets, not their use: every socket that exists inside is harmless, so shutdown,
// sendmsg and the rest work. (With refused ports, one flag of sendmsg and one option are exceptions.) It does not see paths or addresses; those are the business of the namespaces.
import { SandboxError } from '../../errors.js';
import type { NetworkPolicy } from '../../policy/policy-model.js';
import { BpfAssembler, seccompField, seccompReturn } from './bpf-assembler.js';
import {
  attributeChanges,
  attributeRequests,
  ownProcessOnly,
  sharedWithHost,
  subvolumeRequests,
} from './host-namespace-calls.js';
import { addSetIdRules, refuseSetId } from './set-id-rules.js';
import {
  auditArchitecture,
  type SeccompArchitecture,
  type SyscallName,
  syscallNumber,
} from './syscall-numbers.js';

export interface SeccompOptions {
  readonly architecture: SeccompArchitecture;
  readonly network: NetworkPolicy;
  /** With the network enabled: unix sockets may be made. */
  readonly unixSockets: boolean;
  /** The command has a network namespace of its own; without one even a netlink socket shows the host. */
  readonly privateNetwork: boolean;
  /** Processes outside are in the process group of the command: the caller, and whatever it is part of on its terminal. */
  readonly sharesProcessGroup?: boolean;
  /** The command has a descriptor of the terminal in whose foreground the caller is. */
  readonly sharesTerminal?: boolean;
  /** Landlock refuses ports: what connects in a way that Landlock does not see fails. */
  readonly refusesPorts?: boolean;
  /** The command has no namespace of its own: what namespaces keep apart elsewhere is refused. */
  readonly hostNamespaces?: {
    /** Attributes of files may be changed, wherever they are. */
    readonly attributes: boolean;
  };
}

const errno = { perm: 1, nosys: 38 } as const;
const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
const socketType = { mask: 0xf, stream: 1, seqpacket: 5 } as const;
const netlinkRoute = 0;
/** Landlock knows TCP. MPTCP and SMC speak with a TCP server too, and are nothing to it; so only these may be asked for. */
const plainProtocols = { any: 0, icmp: 1, tcp: 6, udp: 17, icmp6: 58, udpLite: 136 } as const;
/** MSG_FASTOPEN: data that connects. Landlock is asked about connect only. */
const connectingFlag = 0x20000000;
/**
 * TCP_ULP puts another protocol over a TCP socket. Where SMC is loaded, that one is SMC's from then on, and Landlock is asked about
 * SMC's connect. The name is out of sight here, so TLS in the kernel goes as well; libraries then do it themselves.
 */
const protocolOverTcp = { level: 6, option: 31 } as const;
const x32Bit = 0x40000000;
/** Every CLONE_NEW* flag that fits the low word: cgroup, uts, ipc, user, pid, net, mount; and time for unshare. */
const newNamespaces =
  0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x00020000;
const newTimeNamespace = 0x80;
/**
 * The first two put characters into the terminal that a process outside reads, the last changes what it does with them.
 */
const terminalRequests = { tiocsti: 0x5412, tioclinux: 0x541c, tiocsetd: 0x5423 } as const;

/**
 * BTRFS_IOC_SNAP_CREATE in its two forms, and what bcachefs has (by its header; not tried). A snapshot shows the content of a whole
 * subvolume under a new name: also what is denied, which no mount covers there.
 */
const snapshotRequests = [0x50009401, 0x50009417, 0x4020bc10] as const;

/**
 * F_SETLEASE and F_SETDELEG: whoever opens the file then, the server and programs of the user included, waits for the holder of the
 * lease for 45 seconds, or is told that it cannot be opened.
 */
const leaseCommands = { setLease: 1024, setDelegation: 1040 } as const;

/**
 * F_SETFL with O_ASYNC, and FIOASYNC: a terminal then sends a signal, which F_SETSIG chooses, to the whole group in its foreground with
 * each key and when there is room again.
 */
const terminalSignals = { setFlags: 4, asynchronous: 0x2000, request: 0x5452 } as const;

/** Reach into other processes, the kernel, its key rings or the mount table. */
const alwaysDenied: readonly SyscallName[] = [
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'pidfd_getfd',
  'kcmp',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'add_key',
  'request_key',
  'keyctl',
  'mount',
  'umount2',
  'pivot_root',
  'chroot',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
  'open_tree_attr',
  'setns',
  'open_by_handle_at',
  'init_module',
  'finit_module',
  'delete_module',
  'kexec_load',
  'kexec_file_load',
  'swapon',
  'swapoff',
  'reboot',
];

const programs = new Map<string, Uint8Array>();

/** The program for this machine. */
export function seccompProgramFor(options: Omit<SeccompOptions, 'architecture'>): Uint8Array {
  const architecture = process.arch;
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      `there is no system call filter for the architecture ${architecture}`,
    );
  }
  const key = JSON.stringify(options);
  const program = programs.get(key) ?? buildSeccompProgram({ architecture, ...options });
  programs.set(key, program);
  return program;
}

export function buildSeccompProgram(options: SeccompOptions): Uint8Array {
  const { architecture, hostNamespaces } = options;
  const asm = new BpfAssembler();
  const on = (name: SyscallName, match: string): void => {
    const number = syscallNumber(name, architecture);
    if (number !== undefined) asm.jumpIfEqual(number, { match });
  };
  asm.load(seccompField.architecture);
  asm.jumpIfEqual(auditArchitecture[architecture], { miss: 'kill' });
  asm.load(seccompField.number);
  if (architecture === 'x64') asm.jumpIfAtLeast(x32Bit, { match: 'nosys' });
  for (const name of alwaysDenied) on(name, 'perm');
  if (hostNamespaces !== undefined) {
    for (const name of sharedWithHost) on(name, 'perm');
    if (!hostNamespaces.attributes) for (const name of attributeChanges) on(name, 'perm');
    for (const name of ownProcessOnly.byPid) on(name, 'ownPid');
    on('setpriority', 'priority');
    on('ioprio_set', 'ioPriority');
  }
  refuseSetId(on);
  on('clone3', 'nosys');
  on('clone', 'clone');
  on('unshare', 'unshare');
  on('ioctl', 'ioctl');
  on('fcntl', 'fcntl');
  if (options.sharesProcessGroup === true) on('kill', 'signal');
  on('socketpair', 'socketpair');
  on('socket', 'socket');
  if (options.refusesPorts === true) {
    for (const name of ['sendto', 'sendmmsg'] as const) on(name, 'sendFlags3');
    on('sendmsg', 'sendFlags2');
    on('setsockopt', 'socketOption');
  }
  asm.return(seccompReturn.allow);
  addSetIdRules(asm);
  // The C library falls back from clone3 to clone, whose flags can be read here.
  asm.label('clone').load(seccompField.argumentLow(0));
  asm.jumpIfAnyBit(newNamespaces, { match: 'perm', miss: 'allow' });
  asm.label('unshare').load(seccompField.argumentLow(0));
  asm.jumpIfAnyBit(newNamespaces | newTimeNamespace, { match: 'perm', miss: 'allow' });
  // The kernel looks at the low half of the request only, and so does this.
  asm.label('ioctl').load(seccompField.argumentLow(1));
  for (const request of Object.values(terminalRequests)) asm.jumpIfEqual(request, { match: 'perm' });
  if (options.sharesTerminal === true) asm.jumpIfEqual(terminalSignals.request, { match: 'perm' });
  for (const request of snapshotRequests) asm.jumpIfEqual(request, { match: 'perm' });
  if (hostNamespaces !== undefined) {
    for (const request of subvolumeRequests) asm.jumpIfEqual(request, { match: 'perm' });
    if (!hostNamespaces.attributes)
      for (const request of attributeRequests) asm.jumpIfEqual(request, { match: 'perm' });
  }
  asm.return(seccompReturn.allow);
  asm.label('fcntl').load(seccompField.argumentLow(1));
  for (const command of Object.values(leaseCommands)) asm.jumpIfEqual(command, { match: 'perm' });
  if (options.sharesTerminal === true) {
    asm.jumpIfEqual(terminalSignals.setFlags, { miss: 'allow' });
    asm.load(seccompField.argumentLow(2));
    asm.jumpIfAnyBit(terminalSignals.asynchronous, { match: 'perm', miss: 'allow' });
  } else asm.return(seccompReturn.allow);
  if (hostNamespaces !== undefined) addOwnProcessRules(asm);
  if (options.sharesProcessGroup === true) {
    // Zero is the process group of the caller. A group that is named by a number is one of its own namespace.
    asm.label('signal').load(seccompField.argumentLow(0));
    asm.jumpIfEqual(0, { match: 'perm', miss: 'allow' });
  }
  if (options.refusesPorts === true) {
    for (const index of [2, 3]) {
      asm.label(`sendFlags${index}`).load(seccompField.argumentLow(index));
      asm.jumpIfAnyBit(connectingFlag, { match: 'perm', miss: 'allow' });
    }
    asm.label('socketOption').load(seccompField.argumentLow(1));
    asm.jumpIfEqual(protocolOverTcp.level, { miss: 'allow' });
    asm.load(seccompField.argumentLow(2));
    asm.jumpIfEqual(protocolOverTcp.option, { match: 'perm', miss: 'allow' });
  }
  addSocketPairRules(asm, options);
  addSocketRules(asm, options);
  asm.label('perm').return(seccompReturn.errno(errno.perm));
  asm.label('nosys').return(seccompReturn.errno(errno.nosys));
  asm.label('kill').return(seccompReturn.killProcess);
  asm.label('allow').return(seccompReturn.allow);
  return asm.assemble();
}

/** Zero is the caller itself. Only the low half counts: the kernel takes these arguments as 32 bits. */
function addOwnProcessRules(asm: BpfAssembler): void {
  asm.label('ownPid').load(seccompField.argumentLow(0));
  asm.jumpIfEqual(0, { match: 'allow', miss: 'perm' });
  asm.label('priority').load(seccompField.argumentLow(0));
  asm.jumpIfEqual(ownProcessOnly.priorityOfProcess, { miss: 'perm' });
  asm.load(seccompField.argumentLow(1)).jumpIfEqual(0, { match: 'allow', miss: 'perm' });
  asm.label('ioPriority').load(seccompField.argumentLow(0));
  asm.jumpIfEqual(ownProcessOnly.ioPriorityOfProcess, { miss: 'perm' });
  asm.load(seccompField.argumentLow(1)).jumpIfEqual(0, { match: 'allow', miss: 'perm' });
}

/** A datagram pair can be connected again, to a socket of the host; stream and seqpacket pairs cannot. */
function addSocketPairRules(asm: BpfAssembler, { unixSockets, network }: SeccompOptions): void {
  asm.label('socketpair').load(seccompField.argumentLow(0));
  asm.jumpIfEqual(family.unix, { miss: 'perm' });
  if (network === 'enabled' && unixSockets) {
    asm.return(seccompReturn.allow);
    return;
  }
  asm.load(seccompField.argumentLow(1)).and(socketType.mask);
  asm.jumpIfEqual(socketType.stream, { match: 'allow' });
  asm.jumpIfEqual(socketType.seqpacket, { match: 'allow', miss: 'perm' });
}

function addSocketRules(asm: BpfAssembler, options: SeccompOptions): void {
  asm.label('socket').load(seccompField.argumentLow(0));
  if (options.network !== 'restricted') {
    const match = options.refusesPorts === true ? 'plainProtocol' : 'allow';
    asm.jumpIfEqual(family.inet, { match });
    asm.jumpIfEqual(family.inet6, { match });
  }
  if (options.network === 'enabled' && options.unixSockets) asm.jumpIfEqual(family.unix, { match: 'allow' });
  // Listing the interfaces of an empty network is harmless, and Node's os.networkInterfaces() throws without it.
  if (options.privateNetwork || options.network === 'enabled') {
    asm.jumpIfEqual(family.netlink, { miss: 'perm' });
    asm.load(seccompField.argumentLow(2));
    asm.jumpIfEqual(netlinkRoute, { match: 'allow', miss: 'perm' });
  } else {
    asm.return(seccompReturn.errno(errno.perm));
  }
  asm.label('plainProtocol').load(seccompField.argumentLow(2));
  for (const protocol of Object.values(plainProtocols)) asm.jumpIfEqual(protocol, { match: 'allow' });
  asm.return(seccompReturn.errno(errno.perm));
}
