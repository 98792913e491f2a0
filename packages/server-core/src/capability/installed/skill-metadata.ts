// `agents/openai.yaml` beside a skill: which tools it needs and when it may be used. A file with anything wrong in it
// counts as none.
import type { SkillDependencies, SkillPolicy, SkillToolDependency } from '@codex/exec-protocol';
import { isRecord, readYaml, shownText } from './skill-text.js';

export interface SkillMetadata {
  readonly dependencies: SkillDependencies | null;
  readonly policy: SkillPolicy | null;
}

const NONE: SkillMetadata = { dependencies: null, policy: null };

export function parseSkillMetadata(text: string | undefined): SkillMetadata {
  const document = text === undefined ? undefined : readYaml(text, 'core');
  try {
    const value: unknown = document?.toJS();
    if (!isRecord(value)) return NONE;
    return { dependencies: dependenciesIn(value['dependencies']), policy: policyIn(value['policy']) };
  } catch {
    return NONE;
  }
}

class UnexpectedForm extends Error {}

function dependenciesIn(value: unknown): SkillDependencies | null {
  const tools = (listOf(membersOf(value)['tools']) ?? [])
    .map((tool) => toolOf(membersOf(tool)))
    .filter((tool) => tool !== undefined);
  return tools.length === 0 ? null : { tools };
}

function toolOf(members: Readonly<Record<string, unknown>>): SkillToolDependency | undefined {
  const type = textOf(members['type']);
  const value = textOf(members['value']);
  if (type === null || value === null) return undefined;
  return {
    type,
    value,
    description: textOf(members['description']),
    transport: textOf(members['transport']),
    command: textOf(members['command']),
    url: textOf(members['url']),
    oauthCallbackPort: portIn(membersOf(members['oauth'])),
  };
}

function portIn(oauth: Readonly<Record<string, unknown>>): number | null {
  const port = oauth['callback_port'] ?? oauth['callbackPort'] ?? null;
  if (port === null) return null;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UnexpectedForm();
  }
  return port;
}

const PRODUCTS: Readonly<Record<string, SkillPolicy['products'][number]>> = {
  codex: 'codex',
  CODEX: 'codex',
  chatgpt: 'chatgpt',
  CHATGPT: 'chatgpt',
  atlas: 'atlas',
  ATLAS: 'atlas',
};

function policyIn(value: unknown): SkillPolicy | null {
  if (value == null) return null;
  const members = membersOf(value);
  const allow = members['allow_implicit_invocation'] ?? null;
  if (allow !== null && typeof allow !== 'boolean') throw new UnexpectedForm();
  const products = (listOf(members['products']) ?? []).map((name) => {
    const product = typeof name === 'string' && Object.hasOwn(PRODUCTS, name) ? PRODUCTS[name] : undefined;
    if (product === undefined) throw new UnexpectedForm();
    return product;
  });
  return { allowImplicitInvocation: allow, products };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value == null) return {};
  if (!isRecord(value)) throw new UnexpectedForm();
  return value;
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (value == null) return undefined;
  if (!Array.isArray(value)) throw new UnexpectedForm();
  return value as readonly unknown[];
}

function textOf(value: unknown): string | null {
  if (value != null && typeof value !== 'string') throw new UnexpectedForm();
  return shownText(value) ?? null;
}
