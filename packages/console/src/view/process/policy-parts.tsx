// What the views of policies share.

import type { SandboxExplainResult } from '@codex/exec-protocol';
import { safeText } from '../../text/safe-text.js';

export const NETWORK = {
  restricted: 'no network',
  loopback: 'network of this machine only',
  enabled: 'network',
} as const;

export function Decision({ result }: { readonly result: SandboxExplainResult }) {
  const { decision, changes } = result;
  if (!decision) return null;
  return (
    <div class="decision" role="status">
      <p>
        <span class={`access access-${decision.read ? 'read' : 'deny'}`}>
          {decision.read ? 'read' : 'no read'}
        </span>
        <span class={`access access-${decision.write ? 'write' : 'deny'}`}>
          {decision.write ? 'write' : 'no write'}
        </span>
        <code>{safeText(decision.path)}</code>
      </p>
      <p>{safeText(decision.sentence)}</p>
      {changes.map((change) => (
        <p class="hint" key={change.sentence}>
          To allow it: {safeText(change.sentence)}
        </p>
      ))}
    </div>
  );
}
