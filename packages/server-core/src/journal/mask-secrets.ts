// Command lines with a mask in the place of what looks like a secret (see `findSecrets` for what that is and is not).
import { findSecrets, isSecretName, SECRET_MASK } from '@codex/exec-protocol';

/** One text of some thousand characters at most: an argument, or a script that is one. */
export function maskedText(text: string): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of findSecrets(text)) {
    masked += `${text.slice(done, start)}${SECRET_MASK}`;
    done = end;
  }
  return masked + text.slice(done);
}

/** A value may also be a word of its own, behind its flag. */
export function maskedCommand(argv: readonly string[]): string[] {
  return argv.map((argument, index) => {
    const before = argv[index - 1];
    if (before === undefined || !isFlag(before)) return maskedText(argument);
    if (/^(?:-u|--user|--proxy-user)$/.test(before)) return maskedUser(argument);
    return isSecretName(before) && !isFlag(argument) ? SECRET_MASK : maskedText(argument);
  });
}

/** `name:password`. */
function maskedUser(argument: string): string {
  const isPassword = /^[^:]+:(?!\d+$)./s.test(argument);
  return isPassword ? argument.replace(/:.*$/s, `:${SECRET_MASK}`) : maskedText(argument);
}

function isFlag(word: string): boolean {
  return word.startsWith('-');
}
