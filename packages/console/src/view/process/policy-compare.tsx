// The policy of a command beside another one: of a process that is known here, or one that it might have had. Nothing is
// changed by asking.

import type { PermissionProfile, SandboxExplainResult } from '@codex/exec-protocol';
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { comparePolicies } from '../../model/compare-policies.js';
import type { ProcessRow } from '../../model/process-row.js';
import { safeText } from '../../text/safe-text.js';
import type { Target } from '../../wire/api.js';
import { link, world } from '../context.js';
import { Decision, NETWORK } from './policy-parts.js';

interface PolicyCompareProps {
  readonly row: ProcessRow;
  readonly here: SandboxExplainResult;
  /** The path that was asked about, and what was decided; asked again of the other policy. */
  readonly asked: SandboxExplainResult | undefined;
}

/** What is explained instead: another process, or this one under another policy. */
interface Other {
  readonly name: string;
  readonly target: Target;
  readonly whatIf?: PermissionProfile;
}

const PRESETS: readonly (readonly [string, PermissionProfile])[] = [
  ['read-only', { type: 'read-only' }],
  ['workspace-write', { type: 'workspace-write' }],
  ['workspace-write with network', { type: 'workspace-write', network_access: true }],
  ['no sandbox', { type: 'danger-full-access' }],
];
const OWN_WORDS = 'own';
const MAX_PROCESSES = 40;
const NAME_LENGTH = 60;

export function PolicyCompare({ row, here, asked }: PolicyCompareProps) {
  const chosen = useSignal('');
  const ownWords = useSignal('{ "type": "workspace-write" }');
  const there = useSignal<SandboxExplainResult | undefined>(undefined);
  const trouble = useSignal('');
  const target = { session: row.session, processId: row.processId };
  const processes = useComputed(() => otherProcesses(row));
  const api = link.api.value;
  const path = asked?.decision?.path;
  const ask = (): void => {
    there.value = undefined;
    trouble.value = '';
    const other = otherOf(chosen.value, { target, processes: processes.peek(), ownWords });
    if (other === undefined || api === undefined) return;
    if (typeof other === 'string') {
      trouble.value = other;
      return;
    }
    api.explain(other.target, path, other.whatIf).then(
      (result) => {
        there.value = result;
      },
      (error: unknown) => {
        trouble.value = error instanceof Error ? error.message : String(error);
      },
    );
  };
  useEffect(ask, [chosen.value, path, api]);
  return (
    <section class="policy-compare">
      <h2>Beside another policy</h2>
      <div class="what-if">
        <select
          aria-label="The policy to compare with"
          value={chosen.value}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          <option value="">none</option>
          <optgroup label="What if it were">
            {PRESETS.map(([name]) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            <option value={OWN_WORDS}>a profile as JSON …</option>
          </optgroup>
          {processes.value.length > 0 && (
            <optgroup label="That of another process">
              {processes.value.map(({ key, title }) => (
                <option key={key} value={key}>
                  {title.slice(0, NAME_LENGTH)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
      {chosen.value === OWN_WORDS && (
        <form
          class="what-if"
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <input
            aria-label="A permission profile as JSON"
            value={ownWords.value}
            spellcheck={false}
            onInput={(event) => {
              ownWords.value = event.currentTarget.value;
            }}
          />
          <button type="submit">Compare</button>
        </form>
      )}
      {trouble.value !== '' && <p class="hint">{safeText(trouble.value)}</p>}
      {there.value !== undefined && <SideBySide here={here} there={there.value} asked={asked} />}
    </section>
  );
}

interface SideBySideProps {
  readonly here: SandboxExplainResult;
  readonly there: SandboxExplainResult;
  readonly asked: SandboxExplainResult | undefined;
}

function SideBySide({ here, there, asked }: SideBySideProps) {
  const { places, globs } = comparePolicies(here, there);
  const different = places.filter((place) => place.here !== place.there);
  return (
    <>
      <table class="compare-table">
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">This command</th>
            <th scope="col">The other policy</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place.path} class={place.here === place.there ? '' : 'is-different'}>
              <th scope="row">
                <code>{safeText(place.path)}</code>
              </th>
              {[place.here, place.there].map((access, side) => (
                <td key={side}>
                  <span class={`access access-${access}`}>{access}</span>
                </td>
              ))}
            </tr>
          ))}
          {globs.map(({ glob, isHere, isThere }) => (
            <tr key={glob} class={isHere === isThere ? '' : 'is-different'}>
              <th scope="row">
                <code>{safeText(glob)}</code>
              </th>
              {[isHere, isThere].map((isDenied, side) => (
                <td key={side}>{isDenied ? <span class="access access-deny">deny</span> : '–'}</td>
              ))}
            </tr>
          ))}
          <tr class={here.network === there.network ? '' : 'is-different'}>
            <th scope="row">Network</th>
            <td>{NETWORK[here.network]}</td>
            <td>{NETWORK[there.network]}</td>
          </tr>
        </tbody>
      </table>
      <p class="hint">
        {different.length === 0 ? 'They say the same of every place.' : 'Places that differ are marked.'}
      </p>
      {asked?.decision && there.decision && (
        <div class="two-decisions">
          <Decision result={asked} />
          <Decision result={there} />
        </div>
      )}
    </>
  );
}

/** Newest first; those that ran under no policy are "no sandbox". */
function otherProcesses(row: ProcessRow): ProcessRow[] {
  void world.pulse.value;
  const rows = [...world.processes.peek().values()].map((one) => one.peek());
  return rows
    .filter(({ key, sandboxType }) => key !== row.key && sandboxType !== 'none')
    .slice(-MAX_PROCESSES)
    .reverse();
}

interface Choices {
  readonly target: Target;
  readonly processes: readonly ProcessRow[];
  readonly ownWords: Signal<string>;
}

/** A sentence where what was typed is no JSON. */
function otherOf(chosen: string, { target, processes, ownWords }: Choices): Other | string | undefined {
  const process = processes.find(({ key }) => key === chosen);
  if (process !== undefined) return { name: process.title, target: process };
  const preset = PRESETS.find(([name]) => name === chosen);
  if (preset !== undefined) return { name: chosen, target, whatIf: preset[1] };
  if (chosen !== OWN_WORDS) return undefined;
  try {
    return { name: 'a profile', target, whatIf: JSON.parse(ownWords.peek()) as PermissionProfile };
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : ''}`;
  }
}
