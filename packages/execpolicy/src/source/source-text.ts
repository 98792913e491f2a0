// A rule file, and the conversion of offsets to lines and columns.

import { ExecPolicyError, type ExecPolicyErrorCode, type RulesPlace } from '../exec-policy-error.js';

export class SourceText {
  readonly file: string;
  readonly text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  placeOf(offset: number): RulesPlace {
    const before = this.text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
    return { file: this.file, line, column: [...before.slice(lineStart)].length + 1 };
  }

  error(code: ExecPolicyErrorCode, reason: string, offset: number): ExecPolicyError {
    return new ExecPolicyError(code, reason, this.placeOf(offset));
  }
}
