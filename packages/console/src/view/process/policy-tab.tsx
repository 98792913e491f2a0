// The policy of a process as a tree, and what it says about any path. Asking changes nothing.

import type { PolicyNode, SandboxExplainResult } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ProcessRow } from '../../model/process-row.js';
import { safeText, sandboxName } from '../../text/safe-text.js';
import { link } from '../context.js';
import { Empty } from '../parts.js';
import { PolicyCompare } from './policy-compare.js';
import { Decision, NETWORK } from './policy-parts.js';

export function PolicyTab({ row }: { readonly row: ProcessRow }) {
  const policy = useSignal<SandboxExplainResult | undefined>(undefined);
  const answer = useSignal<SandboxExplainResult | undefined>(undefined);
  const trouble = useSignal('');
  const path = useSignal(row.denial?.path ?? row.cwd);
  const target = { session: row.session, processId: row.processId };
  const fail = (error: unknown): void => {
    trouble.value = error instanceof Error ? error.message : String(error);
  };
  useEffect(() => {
    link.api.value?.explain(target).then((result) => {
      policy.value = result;
    }, fail);
  }, [link.api.value]);
  if (!link.may('denials')) return <Empty title="This ticket does not show policies" />;
  const { value } = policy;
  if (value === undefined)
    return trouble.value === '' ? (
      <Empty title="Asking …" />
    ) : (
      <Empty title="The policy is not known any more">
        <p>{trouble.value}</p>
      </Empty>
    );
  const ask = (event: Event): void => {
    event.preventDefault();
    trouble.value = '';
    link.api.value?.explain(target, path.value).then((result) => {
      answer.value = result;
    }, fail);
  };
  return (
    <div class="policy-tab">
      <section>
        <h2>In words</h2>
        <ul class="sentences">
          {value.sentences.map((sentence) => (
            <li key={sentence}>{safeText(sentence)}</li>
          ))}
        </ul>
        <p class="badges">
          <span class="badge">{sandboxName(value.sandboxType)}</span>
          <span class="badge">{NETWORK[value.network]}</span>
          {value.systemDirectories && <span class="badge">system directories readable</span>}
        </p>
      </section>
      <section>
        <h2>What if …</h2>
        <form class="what-if" onSubmit={ask}>
          <input
            aria-label="A path to ask about"
            value={path.value}
            spellcheck={false}
            onInput={(event) => {
              path.value = event.currentTarget.value;
            }}
          />
          <button type="submit">Ask</button>
        </form>
        {trouble.value !== '' && <p class="hint">{trouble.value}</p>}
        {answer.value?.decision && <Decision result={answer.value} />}
      </section>
      <PolicyCompare row={row} here={value} asked={answer.value} />
      <section>
        <h2>By place</h2>
        {value.restrictsFiles ? (
          <ul class="policy-tree" aria-label="Rules by place">
            <Node nodes={value.nodes} index={0} above="" />
          </ul>
        ) : (
          <p class="hint">Nothing restricts the files of this command: it may do what its user may.</p>
        )}
        {value.denyGlobs.length > 0 && (
          <>
            <h3>Denied wherever they are</h3>
            <ul class="globs">
              {value.denyGlobs.map((glob) => (
                <li key={glob}>
                  <code>{safeText(glob)}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        <p class="hint">
          A sandbox does not stop everything: programs outside of it that act for others, what may be read and
          then sent through an allowed network, and the use of processor and memory within the limits.
        </p>
      </section>
    </div>
  );
}

interface NodeProps {
  readonly nodes: readonly PolicyNode[];
  readonly index: number;
  readonly above: string;
}

function Node({ nodes, index, above }: NodeProps) {
  const node = nodes[index];
  if (node === undefined) return null;
  const name = above !== '' && node.path.startsWith(above) ? node.path.slice(above.length) : node.path;
  return (
    <li>
      <span class={`access access-${node.access}`}>{node.access}</span> <code>{safeText(name)}</code>
      {node.readOnlyNames && node.readOnlyNames.length > 0 && (
        <span class="hint"> read-only inside: {node.readOnlyNames.map(safeText).join(', ')}</span>
      )}
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Node key={child} nodes={nodes} index={child} above={node.path === '/' ? '' : `${node.path}/`} />
          ))}
        </ul>
      )}
    </li>
  );
}
