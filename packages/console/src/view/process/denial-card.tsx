// A denial explained: what the command said, which rule decided, and the smallest change that would allow it.

import type { SandboxExplainResult } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ProcessRow } from '../../model/process-row.js';
import { safeText } from '../../text/safe-text.js';
import { link } from '../context.js';
import { CopyButton } from '../parts.js';

const REASONS: Readonly<Record<string, string>> = {
  operation_not_permitted: 'the operation is not permitted',
  permission_denied: 'permission was denied',
  read_only_file_system: 'it wrote to a place that is read-only for it',
  network_denied: 'it used the network',
  policy_denied: 'the policy denies it',
  failed_to_write_file: 'it could not write a file',
  sigsys: 'it made a system call that is not allowed',
};

export function DenialCard({ row }: { readonly row: ProcessRow }) {
  const explanation = useSignal<SandboxExplainResult | undefined>(undefined);
  const trouble = useSignal('');
  useEffect(() => {
    if (!link.may('denials')) return;
    link.api.value?.explain({ session: row.session, processId: row.processId }).then(
      (result) => {
        explanation.value = result;
      },
      (error: unknown) => {
        trouble.value = error instanceof Error ? error.message : String(error);
      },
    );
  }, [link.api.value]);
  const denial = row.denial ?? explanation.value?.denial ?? undefined;
  const { decision, changes = [] } = explanation.value ?? {};
  return (
    <section class="denial" aria-label="Denied by the sandbox">
      <h2>
        <span aria-hidden="true">▲</span> The sandbox denied this command
        {denial === undefined ? '' : `: ${REASONS[denial.reason] ?? denial.reason}`}
      </h2>
      {denial !== undefined && <pre class="denial-line">{safeText(denial.line)}</pre>}
      {decision && (
        <p>
          <strong>The rule that decided:</strong> {safeText(decision.sentence)}
        </p>
      )}
      {changes.map((change) => (
        <div class="change" key={change.sentence}>
          <p>
            <strong>The smallest change that would allow it:</strong> {safeText(change.sentence)}
          </p>
          {change.add && (
            <pre>
              {safeText(JSON.stringify(change.add))}
              <CopyButton text={JSON.stringify(change.add)} label="Copy the entry" />
            </pre>
          )}
        </div>
      ))}
      {trouble.value !== '' && <p class="hint">{trouble.value}</p>}
    </section>
  );
}
