// From a policy to mounts. A rule becomes a mount only where it differs from its surroundings; every directory above a
// restriction is mounted on itself, because a restriction belongs to a name and a renamed parent would shed it.
import type { FileIdentity } from '@codex/launcher';
import { SandboxError } from '../errors.js';
import { inTreeOrder, isWithin, parentPath } from '../policy/path-text.js';
import type { Access } from '../policy/policy-model.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import { type LocatedRules, type LocateRulesOptions, locateRules } from './locate/located-rules.js';
import { PathInspector } from './locate/path-inspector.js';
import type { Steps } from './locate/time-slices.js';
import type { BindStep, MountPlan, MountStep } from './mount-plan.js';

export interface MountPlanInput {
  readonly policy: ResolvedPolicy;
  readonly denials?: Pick<LocateRulesOptions, 'byGlob' | 'always' | 'unchangeable'>;
  /** What to do about a denied file that has a second name somewhere: its content stays readable there. */
  readonly hardLinks?: 'refuse' | 'warn';
  readonly inspector?: PathInspector;
}

export function* buildMountPlan(input: MountPlanInput): Steps<MountPlan> {
  const inspector = input.inspector ?? new PathInspector();
  const rules = yield* locateRules(input.policy, inspector, input.denials);
  const builder = new PlanBuilder(rules, inspector, {
    hardLinks: input.hardLinks ?? 'refuse',
    protectedNames: new Set(input.policy.protectedNames),
    removable: new Set(input.policy.removedWhenMissing.map((path) => inspector.locate(path).path)),
  });
  return yield* builder.build();
}

interface PlanOptions {
  readonly hardLinks: 'refuse' | 'warn';
  readonly protectedNames: ReadonlySet<string>;
  /** Missing paths that are cleaned up afterwards rather than covered. */
  readonly removable: ReadonlySet<string>;
}

class PlanBuilder {
  readonly #rules: LocatedRules;
  readonly #inspector: PathInspector;
  readonly #options: PlanOptions;
  readonly #removed: string[] = [];
  readonly #steps = new Map<string, MountStep>();
  readonly #warnings: string[] = [];

  constructor(rules: LocatedRules, inspector: PathInspector, options: PlanOptions) {
    this.#rules = rules;
    this.#inspector = inspector;
    this.#options = options;
  }

  *build(): Steps<MountPlan> {
    const { access } = this.#rules;
    const paths = inTreeOrder(access.keys(), (path) => path).filter((path) => path !== '/');
    for (const path of paths) {
      this.#addRule(path, access.get(path) ?? 'deny');
      yield;
    }
    for (const link of this.#rules.links) {
      if (access.effective(parentPath(link.path)) === 'deny') {
        this.#steps.set(link.path, { type: 'symlink', path: link.path, target: link.target });
      }
    }
    for (const step of [...this.#steps.values()]) {
      if (step.type !== 'bind' && step.type !== 'symlink') yield* this.#pinAncestors(step.path);
    }
    // A link is put back in its directory, which therefore has to stay where it is.
    for (const link of this.#rules.guardedLinks) yield* this.#pinAncestors(link.path);
    for (const path of this.#removed) yield* this.#pinAncestors(path);
    const rootAccess = access.get('/') ?? 'deny';
    const base = rootAccess === 'read' ? 'readOnly' : rootAccess === 'write' ? 'writable' : 'empty';
    yield;
    const steps = inTreeOrder(this.#steps.values(), ({ path }) => path);
    yield;
    return {
      base,
      removedAfterwards: this.#removed,
      steps: markPassable(steps),
      guardedLinks: this.#rules.guardedLinks,
      unclaimable: this.#rules.unclaimable,
      warnings: this.#warnings,
    };
  }

  #addRule(path: string, wanted: Access): void {
    const around = this.#rules.access.effective(parentPath(path));
    if (isWithin(path, '/proc') || (isWithin(path, '/dev') && path !== '/dev/shm')) {
      // The sandbox has its own; only taking something away from it makes sense.
      if (wanted === 'write')
        this.#warnings.push(`${path} is not made writable: the sandbox has a private one`);
      if (wanted !== 'deny') return;
    }
    if (wanted === around) return;
    const { kind, links, unreachable, identity } = this.#inspector.inspect(path);
    if (kind === 'missing') this.#addMissing(path, { wanted, around, unreachable: unreachable === true });
    else if (wanted === 'write') this.#steps.set(path, bindStep('bind', path, identity));
    else if (wanted === 'read') this.#steps.set(path, this.#readOnlyStep(path, around));
    else if (kind === 'directory') this.#steps.set(path, { type: 'hideDirectory', path, passable: false });
    else {
      if (links > 1) this.#reportHardLink(path, links);
      this.#steps.set(path, { type: 'hideFile', path });
    }
  }

  /**
   * An empty directory with a protected name may be the mount point of another program's sandbox, which removes it at
   * any moment; being in use keeps it. It is empty either way.
   */
  #readOnlyStep(path: string, around: Access): MountStep {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isHeld =
      around === 'write' && this.#options.protectedNames.has(name) && this.#inspector.canHoldEmpty(path);
    return isHeld
      ? { type: 'coverMissing', path, listable: true }
      : bindStep('readOnlyBind', path, this.#inspector.inspect(path).identity);
  }

  #addMissing(path: string, rule: { wanted: Access; around: Access; unreachable: boolean }): void {
    if (rule.wanted === 'write') {
      this.#warnings.push(`${path} does not exist, so it is not writable`);
      return;
    }
    // Where the command cannot write it cannot create the path either.
    if (rule.around !== 'write') return;
    if (rule.unreachable) {
      throw new SandboxError(
        'SANDBOX_POLICY_UNENFORCEABLE',
        `the rule for ${path} cannot be enforced: this user may not look into its directory, but the command could change that`,
      );
    }
    const first = this.#firstMissing(path);
    if (first === undefined) return;
    if (first === path && this.#options.removable.has(path)) {
      this.#removed.push(path);
      return;
    }
    const known = this.#steps.get(first);
    const listable =
      !(rule.wanted === 'deny' && first === path) && !(known?.type === 'coverMissing' && !known.listable);
    this.#steps.set(first, { type: 'coverMissing', path: first, listable });
  }

  /** The topmost part of the path that is not there; undefined when a file is in the way. */
  #firstMissing(path: string): string | undefined {
    let first = path;
    for (let at = parentPath(path); ; at = parentPath(at)) {
      const { kind } = this.#inspector.inspect(at);
      if (kind === 'directory') return first;
      if (kind !== 'missing') return undefined;
      first = at;
    }
  }

  *#pinAncestors(path: string): Steps<void> {
    for (let at = parentPath(path); at !== '/'; at = parentPath(at)) {
      yield;
      if (this.#rules.access.effective(at) !== 'write') break;
      if (!this.#steps.has(at))
        this.#steps.set(at, bindStep('bind', at, this.#inspector.inspect(at).identity));
    }
  }

  #reportHardLink(path: string, links: number): void {
    const message = `${path} is denied but has ${links} hard links; its content stays readable under the other name`;
    // A glob hits what happens to be there: refusing would let a planted link stop every later command.
    if (this.#options.hardLinks === 'refuse' && !this.#rules.globDenied.has(path)) {
      throw new SandboxError(
        'SANDBOX_POLICY_UNENFORCEABLE',
        `${message} (accept it with hardLinks: 'warn')`,
        {
          details: { path, links },
        },
      );
    }
    this.#warnings.push(message);
  }
}

function bindStep(type: BindStep['type'], path: string, identity: FileIdentity | undefined): BindStep {
  return { type, path, ...(identity === undefined ? {} : { identity }) };
}

function markPassable(steps: readonly MountStep[]): MountStep[] {
  return steps.map((step, index) => {
    if (step.type !== 'hideDirectory') return step;
    // Tree order: what is below a directory follows it directly.
    const next = steps[index + 1];
    return { ...step, passable: next !== undefined && isWithin(next.path, step.path) };
  });
}
