// Encodes a launch for the supervisor. Layout twin: native/command/spec.c.
import { LaunchError } from '../../launch-error.js';
import type {
  GrantedPath,
  InheritedFd,
  LandlockRules,
  LaunchSpec,
  ResourceLimit,
} from '../../launch-spec.js';
import { RESOURCE_NUMBERS } from '../../launch-spec.js';
import {
  fsAccessMask,
  handledFsMask,
  handledNetMask,
  portsAround,
  scopeMask,
  TCP_BIND,
  TCP_CONNECT,
} from './landlock-rights.js';
import { encodePaths } from './path-list.js';
import { RecordWriter } from './record-writer.js';

const MAGIC = 0x374c5843;
const FLAG_PTY = 1;
const FLAG_STDIN_OPEN = 2;
const FLAG_NO_NEW_PRIVS = 4;
const FLAG_LANDLOCK = 8;
const FLAG_WIDE_PIPES = 16;
const UNLIMITED = 0xffffffffffffffffn;
/** Descriptors that the supervisor makes. Twins: SOURCE_* in native/command/spec.h. */
const SOURCE_DATA = -1;
const SOURCE_PATH = -2;
const SOURCE_REPORT = -3;
const SOURCE_IDENTIFIED = -4;
const SOURCE_LATER = -5;
const SOURCE_GATE = -6;
const SOURCE_SETTLED = -7;
const IDENTITY_BYTES = 16;
const NOTHING = new Uint8Array(0);

export interface SupervisorFds {
  /** How many descriptors from 3 upwards the supervisor was given. */
  readonly count: number;
  /** The supervisor's number for each entry of `spec.inheritFds` that is an open descriptor, in order. */
  readonly inherited: readonly number[];
}

export interface PipeOptions {
  /** The pipes of its output hold more than they do otherwise, where the system allows it. */
  readonly hasWidePipes?: boolean;
}

export function encodeSpec(spec: LaunchSpec, fds: SupervisorFds, pipes: PipeOptions = {}): Buffer {
  const body = encodeBody(spec, fds, pipes);
  const header = Buffer.allocUnsafe(8);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}

function encodeBody(spec: LaunchSpec, fds: SupervisorFds, pipes: PipeOptions): Buffer {
  const landlock = spec.restrict?.landlock;
  const size = spec.io.type === 'pty' ? spec.io : { rows: 0, cols: 0 };
  const writer = new RecordWriter();
  writer.u32(flagsOf(spec, pipes));
  writer.u32(fds.count);
  writer.u32(size.rows);
  writer.u32(size.cols);
  writer.u64(handledFsMask(landlock));
  writer.u64(handledNetMask(landlock));
  writer.u64(scopeMask(landlock));
  writer.u32(landlock?.minimumAbi ?? 0);
  const [program = '', ...rest] = spec.argv;
  writer.string(program);
  writer.string(spec.cwd);
  writer.strings([spec.arg0 ?? program, ...rest]);
  writer.strings(Object.entries(spec.env).map(([name, value]) => `${name}=${value}`));
  writer.bytes(spec.restrict?.seccompProgram ?? NOTHING);
  writeGrants(writer, spec, fds);
  writeLimits(writer, spec.restrict?.rlimits ?? []);
  writeLandlock(writer, landlock);
  writer.bytes(encodePaths(spec.keptMounts));
  return writer.finish();
}

function flagsOf(spec: LaunchSpec, { hasWidePipes = false }: PipeOptions): number {
  let flags = 0;
  if (spec.io.type === 'pty') flags |= FLAG_PTY;
  else if (spec.io.stdin === 'open') flags |= FLAG_STDIN_OPEN;
  if (spec.restrict?.noNewPrivileges) flags |= FLAG_NO_NEW_PRIVS;
  if (spec.restrict?.landlock) flags |= FLAG_LANDLOCK;
  if (hasWidePipes) flags |= FLAG_WIDE_PIPES;
  return flags;
}

function writeGrants(writer: RecordWriter, spec: LaunchSpec, fds: SupervisorFds): void {
  const grants = spec.inheritFds ?? [];
  const inherited = [...fds.inherited];
  const later = grants.find((grant) => 'make' in grant);
  writer.u32(grants.length + (later === undefined ? 0 : 1));
  for (const grant of grants) {
    const { source, bytes } = encodeGrant(grant, inherited);
    writeGrant(writer, { source, as: grant.as, bytes });
  }
  if (later !== undefined) writeGrant(writer, { source: SOURCE_GATE, as: later.gate, bytes: NOTHING });
}

interface EncodedGrant {
  readonly source: number;
  readonly as: number;
  readonly bytes: Uint8Array;
}

function writeGrant(writer: RecordWriter, { source, as, bytes }: EncodedGrant): void {
  writer.u32(source);
  writer.u32(as);
  writer.bytes(bytes);
}

function encodeGrant(grant: InheritedFd, inherited: number[]): { source: number; bytes: Uint8Array } {
  if ('data' in grant) return { source: SOURCE_DATA, bytes: grant.data };
  if ('path' in grant) return encodePath(grant);
  if ('report' in grant) return { source: SOURCE_REPORT, bytes: NOTHING };
  if ('settled' in grant) return { source: SOURCE_SETTLED, bytes: NOTHING };
  if ('make' in grant) return { source: SOURCE_LATER, bytes: NOTHING };
  const source = inherited.shift();
  if (source === undefined) {
    const message = 'a granted descriptor was not handed to the supervisor';
    throw new LaunchError({ stage: 'io', errno: 'EBADF', message });
  }
  return { source, bytes: NOTHING };
}

function encodePath({ path, identity }: GrantedPath): { source: number; bytes: Uint8Array } {
  const text = Buffer.from(`${path}\0`);
  if (identity === undefined) return { source: SOURCE_PATH, bytes: text };
  const bytes = Buffer.allocUnsafe(IDENTITY_BYTES + text.length);
  bytes.writeBigUInt64LE(identity.device, 0);
  bytes.writeBigUInt64LE(identity.inode, 8);
  text.copy(bytes, IDENTITY_BYTES);
  return { source: SOURCE_IDENTIFIED, bytes };
}

function writeLimits(writer: RecordWriter, limits: readonly ResourceLimit[]): void {
  writer.u32(limits.length);
  for (const limit of limits) {
    writer.u32(RESOURCE_NUMBERS[limit.resource]);
    writer.u64(limitValue(limit.soft));
    writer.u64(limitValue(limit.hard));
  }
}

function limitValue(value: number): bigint {
  return value === Number.POSITIVE_INFINITY ? UNLIMITED : BigInt(value);
}

function writeLandlock(writer: RecordWriter, rules: LandlockRules | undefined): void {
  const paths = rules?.fs ?? [];
  writer.u32(paths.length);
  for (const { path, allow } of paths) {
    writer.u64(fsAccessMask(allow));
    writer.string(path);
  }
  const bind = rules?.tcp?.bind ?? [];
  const connect = rules?.tcp?.connect ?? [];
  const refused = rules?.tcp === undefined ? rules?.refusedTcpPorts : undefined;
  const around = refused === undefined ? [] : portsAround(refused);
  writer.u32(bind.length + connect.length + around.length);
  for (const port of bind) writePorts(writer, TCP_BIND, [port, port]);
  for (const port of connect) writePorts(writer, TCP_CONNECT, [port, port]);
  for (const range of around) writePorts(writer, TCP_CONNECT, range);
}

/** The first port in the low half, the last in the high one. */
function writePorts(
  writer: RecordWriter,
  access: bigint,
  [first, last]: readonly [first: number, last: number],
): void {
  writer.u64(access);
  writer.u32((first | (last << 16)) >>> 0);
}
