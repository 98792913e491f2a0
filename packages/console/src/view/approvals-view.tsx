// The inbox: what agents ask, and what was decided. The first answer counts; the server only carries it.

import type { Approval } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { formatDuration } from '../text/format.js';
import { commandLine, safeText } from '../text/safe-text.js';
import { link, now, tell, world } from './context.js';
import { Command, Empty } from './parts.js';

export function ApprovalsView() {
  if (!link.may('approve'))
    return (
      <Empty title="This ticket does not decide approvals">
        <p>
          <code>exec-server console --grant approve</code> makes one that does.
        </p>
      </Empty>
    );
  const all = [...world.approvals.value.values()].sort((a, b) => b.askedAtMs - a.askedAtMs);
  const open = all.filter(({ outcome }) => !outcome);
  const decided = all.filter(({ outcome }) => outcome);
  return (
    <div class="approvals">
      <h1>Approvals</h1>
      {open.length === 0 && <p class="hint">No agent waits for an answer.</p>}
      {open.map((approval) => (
        <OpenApproval key={`${approval.session}/${approval.approval}`} approval={approval} />
      ))}
      {decided.length > 0 && <h2>Decided</h2>}
      {decided.map(({ session, approval, title, outcome }) => (
        <p class="decided" key={`${session}/${approval}`}>
          <span class={`badge badge-${outcome?.decision === 'allow' ? 'good' : 'plain'}`}>
            {safeText(outcome?.decision ?? '')}
          </span>{' '}
          {safeText(title)} <span class="hint">{outcome?.by ? `by ${safeText(outcome.by)}` : ''}</span>
          {outcome?.note ? <em> “{safeText(outcome.note)}”</em> : null}
        </p>
      ))}
    </div>
  );
}

function OpenApproval({ approval }: { readonly approval: Approval }) {
  const note = useSignal('');
  const client = world.sessions.value.get(approval.session)?.clientName ?? '';
  const decide = (decision: string): void => {
    if (link.api.value === undefined) tell('There is no connection to the server: nothing was decided.');
    link.api.value?.decide(approval.session, approval.approval, decision, note.value).then(
      ({ accepted, outcome }) => {
        world.takeApproval({ ...approval, outcome });
        if (!accepted) tell(`Somebody else was first: ${outcome.decision}.`);
      },
      (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <section class="approval" aria-label={`Approval: ${safeText(approval.title)}`}>
      <p class="hint">
        {safeText(client)} · {formatDuration(approval.expiresAtMs - now.value)} left
      </p>
      <h2>{safeText(approval.title)}</h2>
      {approval.argv && (
        <pre>
          <Command text={commandLine(approval.argv)} />
        </pre>
      )}
      {approval.cwd && <p class="hint">in {safeText(approval.cwd)}</p>}
      {approval.reason && <p>{safeText(approval.reason)}</p>}
      <ul class="sentences">
        {(approval.sentences ?? []).map((sentence, index) => (
          <li key={index}>{safeText(sentence)}</li>
        ))}
      </ul>
      <input
        aria-label="A note with the decision"
        placeholder="Note (optional)"
        value={note.value}
        onInput={(event) => {
          note.value = event.currentTarget.value;
        }}
      />
      <div class="choices">
        {approval.choices.map(({ id, label }) => (
          <button key={id} type="button" class={choiceClass(id)} onClick={() => decide(id)}>
            {safeText(label)}
          </button>
        ))}
      </div>
    </section>
  );
}

/** What an agent calls a choice of its own has no colour: it names it as it likes. */
function choiceClass(id: string): string {
  return id === 'allow' || id === 'deny' ? `choice choice-${id}` : 'choice';
}
