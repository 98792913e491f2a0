// Arguments that look like secrets are masked until the user asks to see them. It is a guess, made to be wrong on the safe
// side; it does not make a screen fit to be shown to strangers.

export interface MaskedPart {
  readonly text: string;
  readonly isSecret: boolean;
  /** The server has taken it out already: there is nothing to show. */
  readonly isMasked?: boolean;
}

const SERVER_MASK = '***';

const PATTERN =
  /((?:--?|\b)[\w-]*(?:token|secret|password|passwd|api[-_]?key|credential|auth)[\w-]*(?:=|\s+|:\s*)(?:bearer\s+)?)("[^"]+"|'[^']+'|[^\s"'&|;]+)|(\b(?:sk|pk|ghp|gho|ghs|github_pat|xox[abpr]|glpat)[-_][\w-]{12,})|(\bAKIA[0-9A-Z]{12,})|(:\/\/[^\s:/@]+:)([^\s@/]+)(@)/giu;

export function maskSecrets(text: string): readonly MaskedPart[] {
  const parts: MaskedPart[] = [];
  let last = 0;
  for (const match of text.matchAll(PATTERN)) {
    const [whole, label, value, key, amazon, before, password] = match;
    const start = match.index;
    const secret = value ?? key ?? amazon ?? password ?? '';
    const lead = (label ?? before ?? '').length;
    parts.push({ text: text.slice(last, start + lead), isSecret: false });
    parts.push({ text: secret, isSecret: true });
    last = start + lead + secret.length;
    if (last > start + whole.length) last = start + whole.length;
  }
  parts.push({ text: text.slice(last), isSecret: false });
  return parts.flatMap(withServerMasks).filter((part) => part.text !== '');
}

function withServerMasks(part: MaskedPart): MaskedPart[] {
  if (part.isSecret) return [part.text === SERVER_MASK ? { ...part, isMasked: true } : part];
  return part.text
    .split(SERVER_MASK)
    .flatMap((text, index) => [
      ...(index === 0 ? [] : [{ text: SERVER_MASK, isSecret: true, isMasked: true }]),
      { text, isSecret: false },
    ]);
}
