// The words by which programs tell that something was refused. Strong ones are error texts of the system; weak ones are
// words that occur elsewhere too and decide only where nothing better is said. Each is found by a plain search, because
// output is long and belongs to the command; an expression only looks at the one line that was found.
import type { NetworkPolicy } from '../policy/policy-model.js';

export type DenialReason =
  | 'operation_not_permitted'
  | 'permission_denied'
  | 'read_only_file_system'
  | 'network_denied'
  | 'policy_denied'
  | 'failed_to_write_file'
  | 'sigsys';

export interface DenialPattern {
  /** In lower case. */
  readonly text: string;
  readonly reason: DenialReason;
  /** What the line has to look like besides. */
  readonly line?: RegExp;
  /** What the text right before that line has to look like besides. */
  readonly before?: RegExp;
}

export const strongPatterns: readonly DenialPattern[] = [
  { text: 'operation not permitted', reason: 'operation_not_permitted' },
  { text: 'permission denied', reason: 'permission_denied' },
  { text: 'read-only file system', reason: 'read_only_file_system' },
];

export const weakPatterns: readonly DenialPattern[] = [
  { text: 'seccomp', reason: 'policy_denied' },
  { text: 'sandbox', reason: 'policy_denied' },
  { text: 'landlock', reason: 'policy_denied' },
  { text: 'failed to write file', reason: 'failed_to_write_file' },
];

/** What a command says that finds no network: curl, git, ssh, wget, Python, Node, npm, pip, Go. */
const unreachable: readonly DenialPattern[] = [
  network('could not resolve host'),
  network('could not resolve proxy'),
  network('unable to resolve host address'),
  network('temporary failure in name resolution'),
  network('name or service not known'),
  network('network is unreachable'),
  network('eai_again', /\bEAI_AGAIN\b/),
  network('enetunreach', /\bENETUNREACH\b/),
  network('getaddrinfo enotfound'),
  network(': operation not permitted', /\b(socket|connect|getaddrinfo)\b/i),
  // Python: the line itself names no call, the one above it does.
  {
    ...network('operation not permitted', /^PermissionError: \[Errno 1\]/),
    before: /\b_?sock(et)?\.[^\n]*\n[\s^~]*$/,
  },
];

/** Without any socket even the loopback interface is out of reach; elsewhere these may be about a server that is not there. */
const withoutSockets: readonly DenialPattern[] = [
  network('connect eperm'),
  network("couldn't connect to server", /failed to connect to/i),
];

export function networkPatterns(policy: NetworkPolicy | undefined): readonly DenialPattern[] {
  if (policy === 'restricted') return [...unreachable, ...withoutSockets];
  return policy === 'loopback' ? unreachable : [];
}

function network(text: string, line?: RegExp): DenialPattern {
  return { text, reason: 'network_denied', ...(line === undefined ? {} : { line }) };
}
