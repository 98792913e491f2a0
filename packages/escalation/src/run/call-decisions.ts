// Answers the broker about the execs of one call, records them, and remembers what its user should know.
import type { Policy } from '@codex/execpolicy';
import type { AuditLog } from '../audit/audit-log.js';
import { ExecRecorder } from '../audit/exec-recorder.js';
import type { CallOptions } from '../broker/escalation-broker.js';
import type { ExecDecision, ExecRequest } from '../broker/exec-request.js';
import { decideExec } from '../decide/decide-exec.js';
import { visible } from '../decide/plain-text.js';
import { howToList } from '../decide/question.js';
import type { CallQuestions } from '../decide/questions.js';
import type { AdmittedNames } from '../environment/admitted-names.js';
import {
  type Environment,
  escalatedEnvironment,
  sessionOutside,
} from '../environment/escalated-environment.js';
import { askedProgramsOf } from '../rules/asked-programs.js';
import { fileFactsOf } from '../trust/file-facts.js';
import { type Trust, trustProgram } from '../trust/program-trust.js';
import type { CallBoundary } from './call-boundary.js';

export interface CallDecisionsOptions {
  readonly callId: string;
  readonly rules: Policy;
  readonly boundary: CallBoundary;
  readonly questions: CallQuestions;
  readonly audit: AuditLog;
  readonly environment: Readonly<Record<string, string>>;
  readonly admittedNames: AdmittedNames;
  readonly preserveProgramPaths: boolean;
  /** What the sandbox shows other files in the place of. */
  readonly replaced: ReadonlySet<string>;
}

const MOST_NOTES = 20;

export class CallDecisions {
  readonly #options: CallDecisionsOptions;
  readonly #recorder: ExecRecorder;
  readonly #listedPaths: ReadonlySet<string>;
  readonly #notes = new Set<string>();
  #outside: { readonly version: number; readonly environment: Environment } | undefined;

  constructor(options: CallDecisionsOptions) {
    this.#options = options;
    this.#recorder = new ExecRecorder(options.callId, options.audit);
    this.#listedPaths = new Set([...options.rules.hostExecutables.values()].flat());
  }

  get notes(): ReadonlySet<string> {
    return this.#notes;
  }

  get callOptions(): CallOptions {
    const { callId, rules } = this.#options;
    return {
      callId,
      askedPrograms: askedProgramsOf(rules),
      onRequest: (request, signal) => this.#decide(request, signal),
      onEvent: (event) => this.#recorder.event(event),
    };
  }

  /** Nothing of the call is left. */
  close(): void {
    this.#recorder.close();
  }

  async #decide(request: ExecRequest, signal: AbortSignal): Promise<ExecDecision> {
    const { rules, boundary, questions, preserveProgramPaths } = this.#options;
    const decided = await decideExec(request, signal, {
      policy: rules,
      preserveProgramPaths,
      questions,
      boundary: boundary.leaving,
      hasSandbox: boundary.hasSandbox,
      trust: (asked) => this.#trust(asked),
      environment: (asked) => this.#environment(asked),
    });
    this.#recorder.decided(request, decided);
    if (decided.keptInside !== undefined) this.#note(request, decided.keptInside);
    return decided.decision;
  }

  #trust(request: ExecRequest): Trust {
    const { places } = this.#options.boundary;
    return trustProgram(request, {
      isWritable: places.isWritable,
      writableDevices: places.devices,
      listedPaths: this.#listedPaths,
      isReplacement: ({ path }) => this.#options.replaced.has(path),
      factsOf: fileFactsOf,
    });
  }

  #environment({ environment: asked }: ExecRequest): Record<string, string> {
    const { environment, admittedNames, boundary } = this.#options;
    const { version, isWritableAnywhere } = boundary.places;
    if (this.#outside?.version !== version) {
      this.#outside = { version, environment: sessionOutside(environment, isWritableAnywhere) };
    }
    return escalatedEnvironment(this.#outside.environment, asked, admittedNames);
  }

  #note({ program, file }: ExecRequest, leaves: Trust): void {
    if (leaves.isTrusted || this.#notes.size >= MOST_NOTES) return;
    const path = program.state === 'opened' ? program.files[0].realPath : file;
    const reason = `${visible(path)} ran inside the sandbox, because ${visible(leaves.reason)}.`;
    this.#notes.add(`${reason}${howToList(path, leaves)}`);
  }
}
