// Our `.rules` and those of the real codex: every question that was recorded, and others by chance. With RECORD=1 the
// record is written anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { askOurs } from './ask-ours.js';
import { RealRules } from './ask-real-codex.js';
import { generateCase } from './generated-cases.js';
import { comparable, type RulesAnswer, type RulesQuestion } from './rules-case.js';

const RECORD = fileURLToPath(
  new URL('../../../packages/execpolicy/test-support/recorded-answers.json', import.meta.url),
);
/** What we refuse although codex has an answer: the reason is in our error. */
const REFUSALS: readonly string[] = ['RULES_UNSUPPORTED', 'RULES_LIMIT'];
const GENERATED = Number(process.env['RULES_CASES'] ?? 600);
const AT_ONCE = 4;

interface Recorded extends RulesQuestion {
  readonly code: number;
  readonly stdout?: string;
  readonly refused?: string;
}

const real = new RealRules();
afterAll(() => real[Symbol.dispose]());

async function askAll(questions: readonly RulesQuestion[]): Promise<RulesAnswer[]> {
  const answers: RulesAnswer[] = [];
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    answers.push(
      ...(await Promise.all(questions.slice(start, start + AT_ONCE).map((question) => real.ask(question)))),
    );
  }
  return answers;
}

function differenceOf(question: RulesQuestion, answer: RulesAnswer): unknown {
  const ours = askOurs(question);
  if (ours.error !== undefined && REFUSALS.includes(ours.error.code)) return undefined;
  const isSame = ours.code === answer.code && sameOutput(ours.stdout, answer.stdout, question);
  return isSame ? undefined : { question, answer, ours: ours.error?.message ?? ours.stdout };
}

function sameOutput(ours: string, theirs: string, question: RulesQuestion): boolean {
  return JSON.stringify(comparable(ours, question)) === JSON.stringify(comparable(theirs, question));
}

describe('rules, ours and those of codex', () => {
  it('the record is what codex answers, and what we answer', async () => {
    const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded[];
    const answers = await askAll(recorded);
    if (process.env['RECORD'] === '1')
      writeFileSync(
        RECORD,
        `[\n${recorded.map((question, index) => recordLine(question, answers[index])).join(',\n')}\n]\n`,
      );
    const differences = recorded.flatMap(
      (question, index) => differenceOf(question, answers[index] as RulesAnswer) ?? [],
    );
    expect(differences).toEqual([]);
  }, 600_000);

  it(`${GENERATED} generated files and commands`, async () => {
    const questions = Array.from({ length: GENERATED }, (_, index) =>
      generateCase(Number(process.env['RULES_SEED'] ?? 0) + index),
    );
    const answers = await askAll(questions);
    const differences = questions.flatMap(
      (question, index) => differenceOf(question, answers[index] as RulesAnswer) ?? [],
    );
    const refused = questions.filter((question) => REFUSALS.includes(askOurs(question).error?.code ?? ''));
    process.stderr.write(
      `${questions.length} generated: ${answers.filter(({ code }) => code === 0).length} with an answer, ${refused.length} refused by us\n`,
    );
    expect(differences).toEqual([]);
  }, 600_000);
});

/** One line per case. What codex prints for a case that we refuse is not kept: it may name files. */
function recordLine({ files, command, resolve }: RulesQuestion, answer: RulesAnswer | undefined): string {
  const ours = askOurs({ files, command, resolve });
  const refused = answer?.code === 0 ? ours.error?.code : undefined;
  const stdout = refused === undefined && answer?.stdout !== '' ? { stdout: answer?.stdout } : {};
  return JSON.stringify({
    files,
    command,
    resolve,
    code: answer?.code,
    ...stdout,
    ...(refused === undefined ? {} : { refused }),
  });
}
