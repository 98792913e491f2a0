// Plays one scripted turn: a server, the CLI with a home of its own, the stand-in for the model; all gone at the end.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../model/responses-server.js';
import { type Exchange, ScriptedModel } from '../model/scripted-model.js';
import { codex, type ServerName, serverCommand } from '../servers/exec-servers.js';
import { withOwnMount } from '../servers/own-mounts.js';
import { type ServerCommand, ServerProgram } from '../servers/server-program.js';
import { ApprovingAppServer } from './approving-app-server.js';
import { type Approval, CodexExec, type SandboxMode } from './codex-exec.js';
import { type ServerAddress, writeConfig, writeServerAddress } from './codex-home.js';
import { type Files, fillWorkspace, workspaceState, writeFiles } from './workspace.js';

/** The CLI that plays a turn. */
export type CodexProgram = CodexExec | ApprovingAppServer;

export type TurnScript = (
  model: ScriptedModel,
  turn: { workspace: string; codex: CodexProgram },
) => Promise<void>;

export interface TurnOptions {
  readonly sandbox?: SandboxMode;
  readonly files?: Files;
  /** What the user that the server runs as has at home. */
  readonly homeFiles?: Files;
  /** What the CLI finds in its own home. */
  readonly cliFiles?: Files;
  /** Flags of the server, on top of where it listens. */
  readonly flags?: readonly string[];
  /** What the CLI is told of the server that listens at `url`; a plain CODEX_EXEC_SERVER_URL by default. */
  readonly address?: (url: string) => ServerAddress | Promise<ServerAddress>;
  /** Variables of the CLI. */
  readonly cliEnv?: Readonly<Record<string, string>>;
  /** Flags of the CLI. */
  readonly cliFlags?: readonly string[];
  /** Lines of the CLI's configuration. */
  readonly config?: (workspace: string) => readonly string[];
  /** Only the server sees the workspace's files; for the CLI the folder is empty. */
  readonly elsewhere?: boolean;
  /** Answers the approval requests of the CLI; true approves everything. */
  readonly approving?: boolean | Approval;
  /** The CLI starts the server itself and talks to it over stdio. */
  readonly stdio?: boolean;
}

export interface TurnRecord {
  readonly opening: readonly Item[];
  readonly exchanges: readonly Exchange[];
  readonly workspace: Readonly<Record<string, string>>;
  /** The homes of CLI and server, which some texts name. */
  readonly homes: readonly string[];
}

export interface Place {
  readonly server: ServerName;
  readonly workspace: string;
}

export async function playTurn(script: TurnScript, place: Place, options: TurnOptions): Promise<TurnRecord> {
  const home = codex().makeHome();
  const serverHome = codex().makeHome();
  const files = options.elsewhere ? `${place.workspace}-elsewhere` : place.workspace;
  let server: ServerProgram | undefined;
  try {
    fillWorkspace(files, options.files ?? {});
    mkdirSync(place.workspace, { recursive: true });
    writeFiles(serverHome.path, options.homeFiles ?? {});
    const command = commandOf(place, { home: serverHome.path, files, options });
    if (!options.stdio) server = await ServerProgram.start(command);
    const address: ServerAddress = server
      ? await (options.address ?? plainUrl)(server.url)
      : { via: 'program', program: command.program, args: command.args };
    const turn = await playOn(address, { script, options, workspace: place.workspace, home: home.path });
    return { ...turn, workspace: workspaceState(files), homes: [home.path, serverHome.path] };
  } finally {
    await server?.stop();
    home.remove();
    serverHome.remove();
  }
}

interface Setting {
  readonly home: string;
  readonly files: string;
  readonly options: TurnOptions;
}

function commandOf(place: Place, { home, files, options }: Setting): ServerCommand {
  const command = serverCommand(place.server, {
    home,
    ...(options.flags && { flags: options.flags }),
    ...(options.stdio && { listen: 'stdio' }),
  });
  return options.elsewhere ? withOwnMount(command, { from: files, to: place.workspace }) : command;
}

function plainUrl(url: string): ServerAddress {
  return { via: 'variable', url };
}

interface Stage {
  readonly script: TurnScript;
  readonly options: TurnOptions;
  readonly workspace: string;
  readonly home: string;
}

async function playOn(
  address: ServerAddress,
  stage: Stage,
): Promise<Pick<TurnRecord, 'opening' | 'exchanges'>> {
  const { script, options, workspace, home } = stage;
  let cli: CodexProgram | undefined;
  const model = await ScriptedModel.start(async (self) => {
    if (cli === undefined) throw new Error('a request came before the CLI was started');
    await script(self, { workspace, codex: cli });
  });
  try {
    writeFiles(home, options.cliFiles ?? {});
    writeConfig(home, model.baseUrl, options.config?.(workspace) ?? []);
    const env = { ...options.cliEnv, ...writeServerAddress(home, address) };
    const sandbox = options.sandbox ?? 'danger-full-access';
    const flags = options.cliFlags ?? [];
    const { approving = false } = options;
    const Program = approving === false ? CodexExec : ApprovingAppServer;
    const approval = typeof approving === 'object' ? { approval: approving } : {};
    cli = new Program({ binary: codex().binary, home, workspace, sandbox, flags, env, ...approval });
    const running = cli;
    void running.ended.then(() => model.abandon(new Error(running.describe())));
    await model.finished.then(
      () => settle(running),
      async (error) => {
        running.kill('SIGKILL');
        await running.ended;
        throw error;
      },
    );
    if (!running.completed) throw new Error(running.describe());
    const { opening, exchanges } = model;
    return { opening, exchanges };
  } finally {
    await model.close();
  }
}

/** The CLI ends by itself after the last answer; one that does not is ended. */
async function settle(cli: CodexProgram): Promise<void> {
  const patience = setTimeout(() => cli.kill('SIGKILL'), 15_000);
  await cli.ended;
  clearTimeout(patience);
}

/** A fresh folder for workspaces, shared by the runs that are compared. */
export function makeWorkspace(): { readonly path: string; remove(): void } {
  const { path, remove } = codex().makeHome();
  return { path: join(path, 'workspace'), remove };
}
