// A policy in plain words, for a terminal or an approval prompt.
import type { PolicyContext, SandboxPolicy } from './policy-model.js';
import { resolvePolicy } from './resolve-policy.js';

/** One sentence per line. */
export function describePolicy(policy: SandboxPolicy, context: PolicyContext): string[] {
  const resolved = resolvePolicy(policy, context);
  if (!resolved.restrictsFiles) {
    const who = policy.fileSystem.type === 'external' ? ' (somebody else confines the files)' : '';
    return [`Files: everything can be read and written${who}.`, networkSentence(policy)];
  }
  const paths = (access: string): string[] =>
    resolved.rules.filter((rule) => rule.access === access).map((rule) => rule.path);
  const readable = [
    ...paths('read'),
    ...(resolved.includesPlatformDefaults ? ['the system directories'] : []),
  ];
  const lines = [
    resolved.fullDiskRead ? 'Read: everything.' : sentence('Read', readable),
    sentence('Write', paths('write')),
  ];
  const denied = [...paths('deny').filter((path) => path !== '/'), ...resolved.denyGlobs];
  if (denied.length > 0) lines.push(sentence('Denied', denied));
  if (paths('write').length > 0 && !resolved.fullDiskWrite) {
    lines.push(`Read-only inside every writable directory: ${resolved.protectedNames.join(', ')}.`);
  }
  lines.push(networkSentence(policy));
  return lines;
}

function sentence(what: string, paths: readonly string[]): string {
  return `${what}: ${paths.length === 0 ? 'nothing' : paths.join(', ')}.`;
}

function networkSentence({ network, unixSockets }: SandboxPolicy): string {
  if (network === 'enabled')
    return unixSockets === 'none'
      ? 'Network: the network of this host, without unix sockets.'
      : 'Network: the network of this host.';
  if (network === 'loopback') return 'Network: a private loopback interface, nothing beyond it.';
  return 'Network: none.';
}
