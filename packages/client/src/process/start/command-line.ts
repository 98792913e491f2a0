// Turns a command as callers write it into an argv; a string becomes a script of the server's own shell.

import type { EnvironmentInfo } from '@codex/exec-protocol';
import { checkCommand } from '../../options/argument-rules.js';
import type { Command } from '../../spawn-options.js';
import { shellJoin } from './shell-quote.js';

export interface CommandLine {
  readonly argv: readonly string[];
  /** How errors and results name it. */
  readonly shown: string;
}

export function commandLine(command: Command, { shell }: Pick<EnvironmentInfo, 'shell'>): CommandLine {
  checkCommand(command);
  if (typeof command === 'string') return { argv: shellArgv(shell, command, false), shown: command };
  if ('shell' in command) {
    return { argv: shellArgv(shell, command.shell, command.login === true), shown: command.shell };
  }
  return { argv: [...command], shown: shellJoin(command) };
}

function shellArgv(shell: EnvironmentInfo['shell'], script: string, login: boolean): string[] {
  switch (shell.name) {
    case 'powershell':
      return [shell.path, ...(login ? [] : ['-NoProfile']), '-Command', script];
    case 'cmd':
      return [shell.path, '/c', script];
    default:
      return [shell.path, login ? '-lc' : '-c', script];
  }
}
