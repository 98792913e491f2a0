// The same calls through the real Codex CLI and through UnifiedExec, both on our server, so that what differs is the tool.
import { mkdirSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { UnifiedExec, type UnifiedExecOptions } from '@codex/unified-exec';
import { expect } from 'vitest';
import { ApprovingAppServer } from '../cli/approving-app-server.js';
import { makeWorkspace, playTurn, type TurnOptions } from '../cli/play-turn.js';
import { fillWorkspace } from '../cli/workspace.js';
import { normalizedText } from '../compare/normalized.js';
import { codex, serverCommand } from '../servers/exec-servers.js';
import { ServerProgram } from '../servers/server-program.js';
import { asOurs } from './listed-texts.js';
import { type RecordedCall, withoutSessions, writeRecord } from './recorded-texts.js';

export interface Caller {
  exec(args: object): Promise<string>;
  write(args: object): Promise<string>;
  /** Any call, with the text that the model wrote. */
  say(name: string, argumentsText: string): Promise<string>;
}

export type Calls = (tool: Caller) => Promise<void>;

interface Played {
  /** One per call, without what two runs cannot have in common. */
  readonly outputs: readonly string[];
  readonly calls: readonly RecordedCall[];
  /** How often the user was asked. */
  readonly questions: number;
}

export interface Comparison {
  readonly codex?: TurnOptions;
  readonly ours?: UnifiedExecOptions;
  /** Written down for the default tests under this name, where RECORD=1 asks for it. */
  readonly record?: string;
}

/** What the CLI tells commands about itself. */
const CLI_VARIABLES = { CODEX_VERSION: '0.169.0', CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS: '1' };

/** Returns the number of calls that were compared. */
export async function expectSameTexts(
  calls: Calls,
  { codex: cli = {}, ours = {}, record }: Comparison = {},
): Promise<number> {
  const workspace = makeWorkspace();
  try {
    const real = await playOnCodex(calls, workspace.path, cli);
    const played = await playOnUnifiedExec(calls, workspace.path, { ours, files: cli.files ?? {} });
    expect(played.outputs).toEqual(real.outputs.map((text) => asOurs(text)));
    expect(played.questions).toBe(real.questions);
    if (record !== undefined && process.env['RECORD'] === '1') {
      const outputs = played.outputs.map((text) => text.replaceAll(workspace.path, '<workspace>'));
      writeRecord(record, { files: cli.files ?? {}, calls: real.calls, outputs });
    }
    return real.outputs.length;
  } finally {
    workspace.remove();
  }
}

/** For what is known to differ. */
export async function playOnBoth(
  calls: Calls,
): Promise<{ readonly real: readonly string[]; readonly ours: readonly string[] }> {
  const workspace = makeWorkspace();
  try {
    const real = await playOnCodex(calls, workspace.path, {});
    const ours = await playOnUnifiedExec(calls, workspace.path, { ours: {}, files: {} });
    return { real: real.outputs, ours: ours.outputs };
  } finally {
    workspace.remove();
  }
}

async function playOnCodex(calls: Calls, workspace: string, options: TurnOptions): Promise<Played> {
  const outputs: string[] = [];
  const made: RecordedCall[] = [];
  let questions = 0;
  const turn = await playTurn(
    async (model, { codex: program }) => {
      await calls(recording(outputs, made, (name, text) => model.say(name, text)));
      if (program instanceof ApprovingAppServer) questions = program.asked.length;
    },
    { server: 'ours', workspace },
    options,
  );
  return { outputs: outputs.map((text) => normalizedText(text, turn.homes)), calls: made, questions };
}

async function playOnUnifiedExec(
  calls: Calls,
  workspace: string,
  { ours, files }: { ours: UnifiedExecOptions; files: NonNullable<TurnOptions['files']> },
): Promise<Played> {
  const home = codex().makeHome();
  fillWorkspace(workspace, files);
  mkdirSync(workspace, { recursive: true });
  const server = await ServerProgram.start(serverCommand('ours', { home: home.path }));
  const outputs: string[] = [];
  const made: RecordedCall[] = [];
  let questions = 0;
  let callId = 0;
  try {
    await using client = await ExecServerClient.connect(server.url);
    await using tool = new UnifiedExec(client, {
      profile: 'codex',
      cwd: workspace,
      environmentId: 'remote',
      childEnv: CLI_VARIABLES,
      ...ours,
      ...(ours.approve === undefined
        ? {}
        : {
            approve: (request) => {
              questions++;
              return ours.approve?.(request) ?? { allow: false };
            },
          }),
    });
    const say = async (name: string, text: string) =>
      (await tool.dispatch(name, text, { callId: `call${++callId}` })).text;
    await calls(recording(outputs, made, say));
    return { outputs: outputs.map((text) => normalizedText(text, [home.path])), calls: made, questions };
  } finally {
    await server.stop();
    home.remove();
  }
}

function recording(outputs: string[], calls: RecordedCall[], say: Caller['say']): Caller {
  const recorded: Caller['say'] = async (name, text) => {
    const output = await say(name, text);
    calls.push({ tool: name, arguments: withoutSessions(text, outputs) });
    outputs.push(output);
    return output;
  };
  return {
    say: recorded,
    exec: (args) => recorded('exec_command', JSON.stringify(args)),
    write: (args) => recorded('write_stdin', JSON.stringify(args)),
  };
}

/** The session that a result names. */
export function sessionOf(text: string): number {
  const id = /session ID (\d+)/.exec(text)?.[1];
  if (id === undefined) throw new Error(`no session in:\n${text}`);
  return Number(id);
}
