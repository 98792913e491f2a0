// The head of a SKILL.md: YAML between two lines of dashes, which says what the skill is called and what it is for.
import { visit } from 'yaml';
import { isRecord, readYaml, shownText } from './skill-text.js';

export interface SkillFrontMatter {
  /** Undefined when the skill is called like its folder. */
  readonly name: string | undefined;
  readonly description: string;
  readonly shortDescription: string | null;
}

const MAX_NAME_LENGTH = 64;

/** Undefined for a text that describes no skill. */
export function parseSkillFrontMatter(text: string): SkillFrontMatter | undefined {
  const head = headOf(text);
  if (head === undefined) return undefined;
  const members = read(head) ?? read(withQuotedValues(head));
  if (members === undefined) return undefined;
  const { name = null, description, metadata = {} } = members;
  if (!isOptionalText(name) || typeof description !== 'string' || !isRecord(metadata)) return undefined;
  const { 'short-description': short = null } = metadata;
  const shown = { name: shownText(name), description: shownText(description) };
  if (shown.description === undefined || !isOptionalText(short)) return undefined;
  if ((shown.name?.length ?? 0) > MAX_NAME_LENGTH) return undefined;
  return {
    name: shown.name,
    description: shown.description,
    shortDescription: shownText(short) ?? null,
  };
}

const isOptionalText = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';

function headOf(text: string): string | undefined {
  const lines = text.split(/\r?\n/u);
  if (!isFence(lines[0])) return undefined;
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  return end === -1 ? undefined : lines.slice(1, end).join('\n');
}

/** A byte order mark in front is a blank to `trim`, and no dash. */
const isFence = (line: string | undefined): boolean =>
  line?.startsWith('-') === true && line.trim() === '---';

/** Every scalar is the text that stands there (a name may be `1.50`), but for a plain null. */
function read(yaml: string): Readonly<Record<string, unknown>> | undefined {
  const document = readYaml(yaml, 'failsafe');
  if (document === undefined) return undefined;
  visit(document, {
    Scalar(_, node) {
      if (node.type === 'PLAIN' && /^(~|null|Null|NULL)?$/u.test(String(node.value))) node.value = null;
    },
  });
  try {
    const value: unknown = document.toJS();
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** People write `description: use when: …`, which is no YAML. Values that begin like YAML's own forms stay. */
function withQuotedValues(yaml: string): string {
  return yaml.replace(
    /^(\s*[A-Za-z_][\w-]*:[ \t]+)(?![-?] )([^\s"'[\]{}>|&*!%#].*)$/gmu,
    (_, key: string, value: string) => key + JSON.stringify(value.replace(/\s#.*$/u, '')),
  );
}
