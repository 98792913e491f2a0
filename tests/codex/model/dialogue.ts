// A command that stays a session of the CLI. Where output falls into one window or the next is a matter of speed, so
// windows are joined until the expected text is there, and recorded as one exchange.
import type { ExecCommandArguments, ScriptedModel } from './scripted-model.js';

/** Text that must come, or the end of the command. */
export type Until = string | RegExp | typeof END;
export const END = Symbol('end');

const POLLS = 12;
/** The shortest window that the CLI grants a poll. */
const POLL_MS = 5_000;

export class Dialogue {
  readonly #model: ScriptedModel;
  #session: number | undefined;

  private constructor(model: ScriptedModel) {
    this.#model = model;
  }

  static async start(model: ScriptedModel, command: ExecCommandArguments, until: Until): Promise<Dialogue> {
    const dialogue = new Dialogue(model);
    await dialogue.#exchange(() => model.exec({ yield_time_ms: 1_000, ...command }), until);
    return dialogue;
  }

  /** Sends characters and returns everything that came until the text (or the end) was there. */
  send(chars: string, until: Until): Promise<string> {
    return this.#exchange(() => this.#model.write(this.id, chars), until);
  }

  waitFor(until: Until): Promise<string> {
    return this.#exchange(() => this.#model.write(this.id, '', POLL_MS), until);
  }

  get id(): number {
    if (this.#session === undefined) throw new Error('the command has ended');
    return this.#session;
  }

  async #exchange(first: () => Promise<string>, until: Until): Promise<string> {
    const { exchanges } = this.#model;
    const start = exchanges.length;
    let window = this.#read(await first());
    let text = window.body;
    for (let poll = 0; !isThere(until, text, window.exitCode); poll++) {
      if (window.exitCode !== undefined || poll === POLLS) {
        throw new Error(`${String(until)} did not come; the command said:\n${text}`);
      }
      window = this.#read(await this.#model.write(this.id, '', POLL_MS));
      text += window.body;
    }
    const [one] = exchanges.splice(start);
    const said = window.exitCode === undefined ? text : `${text}[exited with code ${window.exitCode}]`;
    if (one !== undefined) exchanges.push({ ...one, output: said });
    return said;
  }

  #read(output: string): { body: string; exitCode: string | undefined } {
    const [, head, body] = /^(.*?\n)Output:\n(.*)$/s.exec(output) ?? [];
    if (head === undefined || body === undefined) throw new Error(`not the output of a command:\n${output}`);
    const session = /Process running with session ID (\d+)/.exec(head)?.[1];
    this.#session = session === undefined ? undefined : Number(session);
    return { body, exitCode: /Process exited with code (-?\d+)/.exec(head)?.[1] };
  }
}

function isThere(until: Until, text: string, exitCode: string | undefined): boolean {
  if (typeof until === 'symbol') return exitCode !== undefined;
  return typeof until === 'string' ? text.includes(until) : until.test(text);
}
