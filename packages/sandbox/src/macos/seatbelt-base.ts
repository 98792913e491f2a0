// The fixed parts of a seatbelt profile: what every program needs to start on macOS, in the sandbox profile language.

const sysctlNames = [
  'hw.activecpu',
  'hw.busfrequency_compat',
  'hw.byteorder',
  'hw.cacheconfig',
  'hw.cachelinesize_compat',
  'hw.cpufamily',
  'hw.cpufrequency_compat',
  'hw.cputype',
  'hw.l1dcachesize_compat',
  'hw.l1icachesize_compat',
  'hw.l2cachesize_compat',
  'hw.l3cachesize_compat',
  'hw.logicalcpu',
  'hw.logicalcpu_max',
  'hw.machine',
  'hw.memsize',
  'hw.model',
  'hw.ncpu',
  'hw.nperflevels',
  'hw.packages',
  'hw.pagesize',
  'hw.pagesize_compat',
  'hw.physicalcpu',
  'hw.physicalcpu_max',
  'hw.tbfrequency_compat',
  'hw.vectorunit',
  'kern.argmax',
  'kern.hostname',
  'kern.maxfilesperproc',
  'kern.maxproc',
  'kern.osproductversion',
  'kern.osrelease',
  'kern.ostype',
  'kern.osvariant_status',
  'kern.osversion',
  'kern.secure_kernel',
  'kern.sysv.semmns',
  'kern.usrstack64',
  'kern.version',
  'machdep.cpu.brand_string',
  'sysctl.proc_cputype',
  'vm.loadavg',
];
const sysctlPrefixes = [
  'hw.optional.arm.',
  'hw.optional.armv8_',
  'hw.perflevel',
  'kern.proc.pgrp.',
  'kern.proc.pid.',
  'net.routetable.',
];

export const baseProfile = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow file-write-data (require-all (path "/dev/null") (vnode-type CHARACTER-DEVICE)))
(allow sysctl-read
${sysctlNames.map((name) => `  (sysctl-name "${name}")`).join('\n')}
${sysctlPrefixes.map((prefix) => `  (sysctl-name-prefix "${prefix}")`).join('\n')})
(allow sysctl-write (sysctl-name "kern.grade_cputype"))
(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.PowerManagement.control"))
(allow ipc-posix-sem)
(allow ipc-posix-shm-read* ipc-posix-shm-write* (ipc-posix-name-regex #"^/__KMP_REGISTERED_LIB_[0-9]+$"))
(allow pseudo-tty)
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))
(allow file-read* file-write* (require-all (regex #"^/dev/ttys[0-9]+") (extension "com.apple.sandbox.pty")))
(allow file-ioctl (regex #"^/dev/ttys[0-9]+"))`;

/** Reading what the system itself is made of. Unlike the peer's, it makes no temporary directory writable. */
export const platformDefaults = `(allow file-read* file-test-existence
  (subpath "/usr/lib") (subpath "/usr/share") (subpath "/Library/Apple") (subpath "/System")
  (subpath "/private/etc") (subpath "/private/var/db/timezone") (subpath "/opt/homebrew/lib") (subpath "/usr/local/lib")
  (literal "/") (literal "/etc") (literal "/tmp") (literal "/var"))
(allow file-map-executable (subpath "/System/Library") (subpath "/usr/lib") (subpath "/Library/Apple"))
(allow file-read-data file-read-metadata (subpath "/bin") (subpath "/sbin") (subpath "/usr/bin") (subpath "/usr/sbin") (subpath "/usr/libexec"))
(allow file-read* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/tty"))
(allow mach-lookup (global-name "com.apple.system.logger") (global-name "com.apple.logd") (global-name "com.apple.trustd.agent"))`;

export const preferences = `(allow ipc-posix-shm-read* (ipc-posix-name-prefix "apple.cfprefs."))
(allow mach-lookup (global-name "com.apple.cfprefsd.daemon") (global-name "com.apple.cfprefsd.agent"))
(allow user-preference-read)`;

export const networkEnabled = `(allow network-outbound)
(allow network-inbound)
(allow network-bind)
(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper") (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.SecurityServer") (global-name "com.apple.networkd") (global-name "com.apple.ocspd")
  (global-name "com.apple.trustd.agent") (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd"))
(allow sysctl-read (sysctl-name-prefix "net.routetable"))`;

export const networkLoopback = `(allow network-bind (local ip "localhost:*"))
(allow network-inbound (local ip "localhost:*"))
(allow network-outbound (remote ip "localhost:*"))`;
