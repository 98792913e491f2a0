// Arguments that look like secrets are masked until the user asks to see them. It is a guess, made to be wrong on the safe
// side; it does not make a screen fit to be shown to strangers.
import { findSecrets, SECRET_MASK } from '@codex/exec-protocol';

export interface MaskedPart {
  readonly text: string;
  readonly isSecret: boolean;
  /** The server has taken it out already: there is nothing to show. */
  readonly isMasked?: boolean;
}

export function maskSecrets(text: string): readonly MaskedPart[] {
  const parts: MaskedPart[] = [];
  let done = 0;
  for (const { start, end } of findSecrets(text)) {
    parts.push({ text: text.slice(done, start), isSecret: false });
    parts.push({ text: text.slice(start, end), isSecret: true });
    done = end;
  }
  parts.push({ text: text.slice(done), isSecret: false });
  return parts.flatMap(withServerMasks).filter((part) => part.text !== '');
}

function withServerMasks(part: MaskedPart): MaskedPart[] {
  if (part.isSecret) return [part.text === SECRET_MASK ? { ...part, isMasked: true } : part];
  return part.text
    .split(SECRET_MASK)
    .flatMap((text, index) => [
      ...(index === 0 ? [] : [{ text: SECRET_MASK, isSecret: true, isMasked: true }]),
      { text, isSecret: false },
    ]);
}
