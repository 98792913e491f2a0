// What is alive of a process: the command and everything that it started, daemons included, with who started whom.

import type { ObserveTreeResult, TreeMember } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { nestTree } from '../../model/nest-tree.js';
import type { ProcessRow } from '../../model/process-row.js';
import { formatBytes, formatDuration, plural } from '../../text/format.js';
import { commandLine } from '../../text/safe-text.js';
import { dialog, link } from '../context.js';
import { Command, Empty } from '../parts.js';

const LOOK_MS = 2000;

/** Asks again while the tab is shown and something lives. */
export function useTree(row: ProcessRow, isWanted: boolean) {
  const tree = useSignal<ObserveTreeResult | undefined>(undefined);
  const trouble = useSignal('');
  const api = link.api.value;
  useEffect(() => {
    if (!isWanted || api === undefined || !row.alive) {
      if (!row.alive) tree.value = undefined;
      return undefined;
    }
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      api.tree({ session: row.session, processId: row.processId }).then(
        (result) => {
          if (isOver) return;
          tree.value = result;
          trouble.value = '';
          timer = setTimeout(look, LOOK_MS);
        },
        (error: unknown) => {
          if (!isOver) trouble.value = error instanceof Error ? error.message : String(error);
        },
      );
    };
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [row.key, row.alive, isWanted, api]);
  return { tree, trouble };
}

export function TreeTab({ row }: { readonly row: ProcessRow }) {
  const { tree, trouble } = useTree(row, true);
  if (!row.alive)
    return (
      <Empty title="Nothing of it is left">
        <p>The command and everything that it started have ended.</p>
      </Empty>
    );
  const { value } = tree;
  if (value === undefined) return <Empty title={trouble.value === '' ? 'Looking …' : trouble.value} />;
  if (!value.known)
    return (
      <Empty title="This host cannot tell">
        <p>The tree is listed where the native launcher runs, which is on Linux.</p>
      </Empty>
    );
  const { members, omitted } = value;
  const memory = members.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  return (
    <div class="tree-tab">
      <header class="tree-head">
        <span>
          {plural(members.length + omitted, 'process', 'processes')} alive · {formatBytes(memory)} in memory
        </span>
        {link.may('stop') && (
          <button
            type="button"
            class="quiet-button danger-text"
            onClick={() => {
              dialog.value = { kind: 'stop', session: row.session, processId: row.processId };
            }}
          >
            End all of them
          </button>
        )}
      </header>
      <table class="tree-table">
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              CPU
            </th>
            <th scope="col" class="number">
              Memory
            </th>
            <th scope="col" class="number">
              PID
            </th>
          </tr>
        </thead>
        <tbody>
          {nestTree(members).map(({ member, depth }) => (
            <MemberRow key={member.pid} member={member} depth={depth} isCommand={member.pid === row.pid} />
          ))}
        </tbody>
      </table>
      {omitted > 0 && <p class="hint tree-more">and {plural(omitted, 'more process', 'more processes')}</p>}
    </div>
  );
}

function MemberRow({
  member,
  depth,
  isCommand,
}: {
  readonly member: TreeMember;
  readonly depth: number;
  readonly isCommand: boolean;
}) {
  return (
    <tr class={isCommand ? 'is-command' : ''}>
      <td style={{ paddingLeft: `${12 + depth * 18}px` }}>
        {depth > 0 && (
          <span class="branch" aria-hidden="true">
            └
          </span>
        )}
        <Command text={commandLine(member.argv).slice(0, 300)} />
      </td>
      <td>{member.state}</td>
      <td class="number">{formatDuration(member.cpuMs)}</td>
      <td class="number">{formatBytes(member.residentBytes)}</td>
      <td class="number">{member.pid}</td>
    </tr>
  );
}
