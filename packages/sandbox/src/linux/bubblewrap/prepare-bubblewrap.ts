// A command in bubblewrap: what has to be started, with which descriptors, and what has to happen afterwards. For a caller that can
// wait for the options of a wrapper that runs already, the wrapper of a known policy starts while its sandbox is planned (0060).
import type { InheritedFd } from '@codex/launcher';
import { SandboxError } from '../../errors.js';
import type {
  FinishedSandbox,
  PreparedSandbox,
  SandboxRequest,
  StartedWrapper,
  WrapperExit,
} from '../../sandbox-request.js';
import type { BubblewrapFacts } from '../host-probe.js';
import { refusePorts } from '../landlock/refused-ports.js';
import { readingOptionsFrom } from './bwrap-arguments.js';
import { findCommandPid, reportsCommandExit } from './bwrap-status.js';
import { DescriptorList } from './descriptor-list.js';
import { type BubblewrapInput, type Enclosure, enclose } from './enclosure.js';
import { areSame, ForeseenDescriptors } from './foreseen-descriptors.js';
import { shieldFromTerminal } from './terminal-shield.js';

const foreseen = new ForeseenDescriptors();

export async function prepareBubblewrap(input: BubblewrapInput): Promise<PreparedSandbox> {
  const command = commandWords(input);
  const expected = input.request.startsAhead === true ? foreseen.of(input.policy) : undefined;
  if (expected !== undefined) return prepareAhead(input, command, expected);
  const enclosure = await enclose(input, command.arg0);
  const { descriptors, options } = enclosure;
  foreseen.remember(input.policy, descriptors.list);
  const optionsFrom = readingOptionsFrom(descriptors.addData(options));
  return wrap(input, command, {
    optionsFrom,
    descriptors,
    begun: () => Promise.resolve(enclosure),
    made: () => enclosure,
  });
}

/** Nothing is looked at before the wrapper is on its way; then everything is, as always. */
function prepareAhead(
  input: BubblewrapInput,
  command: CommandWords,
  expected: readonly InheritedFd[],
): PreparedSandbox {
  let begun: Promise<Enclosure> | undefined;
  let made: Enclosure | undefined;
  const descriptors = new DescriptorList(expected);
  const { data, gate } = descriptors.addLater(async () => {
    begun = enclose(input, command.arg0);
    made = await begun;
    foreseen.remember(input.policy, made.descriptors.list);
    const { options: bytes, keptMounts } = made;
    if (areSame(made.descriptors.list, expected)) return { bytes, keptMounts };
    throw new SandboxError(
      'SANDBOX_PREPARE_FAILED',
      'the sandbox needs other files than the last one of its policy',
    );
  });
  const optionsFrom = readingOptionsFrom(gate, data);
  return wrap(input, command, { optionsFrom, descriptors, begun: () => begun, made: () => made });
}

interface Wrapping {
  readonly optionsFrom: readonly string[];
  readonly descriptors: DescriptorList;
  /** Undefined when it was not even begun. */
  readonly begun: () => Promise<Enclosure> | undefined;
  /** Undefined until it is complete. */
  readonly made: () => Enclosure | undefined;
}

function wrap(
  { request, policy, host, bubblewrap }: BubblewrapInput,
  command: CommandWords,
  { optionsFrom, descriptors, begun, made }: Wrapping,
): PreparedSandbox {
  const ports = refusePorts(request, policy, { landlockAbi: host.landlockAbi, wrapper: bubblewrap.path });
  let wrapper: StartedWrapper | undefined;
  let finished: FinishedSandbox | undefined;
  let ownReport: string | undefined;
  const readOwnReport = (): string => ownReport ?? wrapper?.report?.read() ?? '';
  // bubblewrap fails with 1. A wrapper that was killed had no time to report, which says nothing about the command.
  const commandStarted = (exit: WrapperExit | undefined): boolean =>
    (exit !== undefined && exit.code !== 1) ||
    reportsCommandExit(exit?.report === undefined ? readOwnReport() : Buffer.from(exit.report).toString());
  return {
    type: 'linuxSeccomp',
    argv: [...command.before, bubblewrap.path, ...optionsFrom, ...command.inside],
    cwd: '/',
    env: {},
    inheritFds: descriptors.list,
    keptMounts: made()?.keptMounts ?? [],
    ...(ports.rules === undefined ? {} : { restrict: { noNewPrivileges: true, landlock: ports.rules } }),
    // Through the host's /proc a command of the same user reaches processes that its own signals do not.
    ownPidNamespace: host.mountsProc,
    get changesHost() {
      return made()?.changes.isVisible ?? false;
    },
    get warnings() {
      return [...(made()?.warnings ?? []), ...command.warnings, ...ports.warnings];
    },
    ...(made() === undefined ? { isAhead: true } : {}),
    started: (started) => {
      wrapper = started;
    },
    commandPid: () =>
      finished !== undefined || wrapper === undefined ? undefined : findCommandPid(wrapper.pid),
    commandStarted,
    finish: (exit) => {
      if (finished !== undefined) return finished;
      ownReport = readOwnReport();
      wrapper?.report?.close();
      finished = { commandStarted: commandStarted(exit), cleanup: undo(made() ?? begun()) };
      return finished;
    },
  };
}

async function undo(enclosure: Enclosure | Promise<Enclosure> | undefined): Promise<readonly string[]> {
  try {
    return (await (enclosure instanceof Promise ? await enclosure : enclosure)?.changes.undo()) ?? [];
  } catch {
    return []; // one that could not be made has left nothing
  }
}

interface CommandWords {
  /** In front of bubblewrap. */
  readonly before: readonly string[];
  /** The command itself, with what sets its signals and its name. */
  readonly inside: readonly string[];
  readonly arg0: string | undefined;
  readonly warnings: readonly string[];
}

function commandWords({ request, host, bubblewrap }: BubblewrapInput): CommandWords {
  const [program = '', ...rest] = request.argv;
  const shield = request.terminal === true ? shieldFromTerminal(host, program) : noShield;
  const name = nameOverride(request, bubblewrap, shield.inside.length > 0);
  const inside = [...shield.inside, ...name.inside, program, ...rest];
  return { before: shield.before, inside, arg0: name.option, warnings: shield.warnings };
}

const noShield = { before: [], inside: [], warnings: [] } as const;

/** bubblewrap sets the name since 0.9; before, bash can, and it is used only where it is needed. */
function nameOverride(
  request: SandboxRequest,
  bubblewrap: BubblewrapFacts,
  shielded: boolean,
): { option: string | undefined; inside: string[] } {
  if (request.arg0 === undefined) return { option: undefined, inside: [] };
  if (bubblewrap.options.has('--argv0') && !shielded) return { option: request.arg0, inside: [] };
  return { option: undefined, inside: ['/bin/bash', '-c', 'exec -a "$0" -- "$@"', request.arg0] };
}
