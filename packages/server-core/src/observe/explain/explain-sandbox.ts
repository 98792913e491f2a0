// Why a command may do what it may: the resolved policy of a process in words and as a tree, which rule decides about a
// path, and what would have to change. By the spelling of paths alone: links and mounts are the sandbox's business, so a
// path that reaches a place by a link is judged by its name here and by its place there.
import {
  invalidParams,
  type PermissionProfile,
  type PolicyDecision,
  type PolicyNode,
  parsePathInput,
  type SandboxDenial,
  type SandboxExplainResult,
} from '@codex/exec-protocol';
import type { AccessDecider, AccessLookup, ResolvedPolicy } from '@codex/sandbox';
import type { SandboxType } from '../../process/start/sandbox/process-sandbox.js';
import { allowingChanges } from './allowing-changes.js';

export type SandboxLibrary = typeof import('@codex/sandbox');

export interface ExplainRequest {
  readonly sandbox: unknown;
  readonly sandboxType: SandboxType;
  readonly cwd: string;
  /** What the policy's `tmpdir` means on this server. */
  readonly tmpdir: string | undefined;
  readonly denial: SandboxDenial | undefined;
  readonly path: string | null;
  readonly whatIf: PermissionProfile | null;
}

const MOST_CHARACTERS = 4096;
const MOST_WORK = 50_000;
const UNRESTRICTED = ['Files: everything can be read and written.', 'Network: the network of this host.'];

export function explainSandbox(library: SandboxLibrary, request: ExplainRequest): SandboxExplainResult {
  const { sandbox, sandboxType, denial, whatIf } = request;
  const target = targetOf(request);
  const base = { sandboxType, ...(denial === undefined ? {} : { denial }) };
  if (sandbox === null && whatIf === null && sandboxType !== 'none') throw unknownPolicy();
  if (sandbox === null && whatIf === null) return { ...base, ...unrestricted(target) };
  const { policy, context, resolved } = readPolicy(library, request);
  checkWork(resolved, target);
  const lookup = library.createAccessLookup(resolved);
  const decision = target === undefined ? undefined : decide(lookup, resolved, target);
  return {
    ...base,
    restrictsFiles: resolved.restrictsFiles,
    network: resolved.network,
    sentences: library.describePolicy(policy, context),
    nodes: policyTree(resolved),
    denyGlobs: [...resolved.denyGlobs],
    systemDirectories: resolved.includesPlatformDefaults,
    ...(decision === undefined ? {} : { decision }),
    changes: allowingChanges({ library, policy, context, decision, denial, lookup }),
  };
}

/** A client may prepare the sandbox by itself, and of a very long policy nothing is kept: neither means that nothing restricts. */
function unknownPolicy(): Error {
  return invalidParams(
    'the policy of this process is not known: its client prepared it, or it was too long to be kept',
  );
}

/** Each pattern is matched with the path, in one turn of the event loop. */
function checkWork({ denyGlobs }: ResolvedPolicy, target = ''): void {
  if (target.length > MOST_CHARACTERS || denyGlobs.length * target.length > MOST_WORK) {
    throw invalidParams('the path is too long to be explained, for as many patterns as the policy has');
  }
}

function unrestricted(path: string | undefined): Omit<SandboxExplainResult, 'sandboxType'> {
  const sentence = 'Nothing restricts the files of this process.';
  const decision = path && { path, read: true, write: true, decidedBy: 'unrestricted' as const, sentence };
  return {
    restrictsFiles: false,
    network: 'enabled',
    sentences: UNRESTRICTED,
    nodes: [{ path: '/', access: 'write', children: [] }],
    denyGlobs: [],
    systemDirectories: false,
    ...(decision ? { decision } : {}),
    changes: [],
  };
}

function targetOf({ path, denial }: ExplainRequest): string | undefined {
  if (path === null) return denial?.path?.startsWith('/') === true ? denial.path : undefined;
  try {
    return parsePathInput(path).path;
  } catch (error) {
    throw invalidParams(error instanceof Error ? error.message : String(error));
  }
}

function readPolicy(library: SandboxLibrary, { sandbox, cwd, tmpdir, whatIf }: ExplainRequest) {
  const given = typeof sandbox === 'object' && sandbox !== null ? sandbox : {};
  const { sandboxPolicy, ...rest } = given as { sandboxPolicy?: unknown };
  const asked = whatIf === null ? given : { ...rest, permissions: whatIf };
  try {
    const { policy, ...place } = library.parseSandboxContext(asked, { cwd });
    const context = { ...place, ...(tmpdir === undefined ? {} : { tmpdir }) };
    return { policy, context, resolved: library.resolvePolicy(policy, context) };
  } catch (error) {
    throw error instanceof library.SandboxError ? invalidParams(error.message) : error;
  }
}

function policyTree({ rules, protectedNames, fullDiskWrite, restrictsFiles }: ResolvedPolicy): PolicyNode[] {
  const nodes: {
    path: string;
    access: PolicyNode['access'];
    readOnlyNames?: string[];
    children: number[];
  }[] = [];
  const hasRoot = rules.some(({ path }) => path === '/');
  const all = hasRoot ? rules : [{ path: '/', access: 'deny' as const }, ...rules];
  const indexes = new Map<string, number>();
  for (const { path, access } of [...all].sort((a, b) => a.path.length - b.path.length)) {
    const showsNames = access === 'write' && restrictsFiles && !fullDiskWrite;
    const above = nearestAbove(path, indexes);
    const index = nodes.length;
    nodes.push({
      path,
      access,
      ...(showsNames ? { readOnlyNames: [...protectedNames] } : {}),
      children: [],
    });
    indexes.set(path, index);
    if (above !== undefined) nodes[above]?.children.push(index);
  }
  return nodes;
}

function nearestAbove(path: string, indexes: ReadonlyMap<string, number>): number | undefined {
  for (let at = path; at !== '/'; ) {
    at = at.slice(0, Math.max(1, at.lastIndexOf('/')));
    const index = indexes.get(at);
    if (index !== undefined) return index;
  }
  return undefined;
}

function decide(lookup: AccessLookup, policy: ResolvedPolicy, path: string): PolicyDecision {
  const decider = lookup.decidedBy(path);
  const [read, write] = [lookup.canRead(path), lookup.canWrite(path)];
  const facts = { path, read, write };
  if (!policy.restrictsFiles)
    return { ...facts, decidedBy: 'unrestricted', sentence: 'Files are not restricted.' };
  return { ...facts, ...describeDecider(decider, policy, path) };
}

function describeDecider(
  decider: AccessDecider,
  policy: ResolvedPolicy,
  path: string,
): Pick<PolicyDecision, 'decidedBy' | 'sentence'> & Partial<PolicyDecision> {
  switch (decider.kind) {
    case 'glob':
      return {
        decidedBy: 'glob',
        glob: decider.glob,
        sentence: `The pattern ${decider.glob} denies it.`,
      };
    case 'readOnlyName':
      return {
        decidedBy: 'readOnlyName',
        readOnlyName: decider.path,
        rule: decider.rule,
        sentence: `${decider.path} stays read-only inside of the writable ${decider.rule.path}.`,
      };
    case 'rule':
      return {
        decidedBy: 'rule',
        rule: decider.rule,
        sentence: `The rule for ${decider.rule.path} decides: ${RULE_WORDS[decider.rule.access]}.`,
      };
    case 'nothing':
      return policy.includesPlatformDefaults
        ? {
            decidedBy: 'systemDirectories',
            sentence: `No rule names ${path}. It may be read if it is one of the system directories, and not written.`,
          }
        : { decidedBy: 'nothing', sentence: `No rule names ${path} or anything above it.` };
  }
}

const RULE_WORDS = { read: 'read, not written', write: 'read and written', deny: 'neither read nor written' };
