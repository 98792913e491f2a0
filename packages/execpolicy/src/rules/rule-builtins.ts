// `prefix_rule`, `host_executable` and `network_rule` as functions of the language.

import { Fault } from '../evaluate/fault.js';
import {
  bindParameters,
  boolArgument,
  nativeFunction,
  textArgument,
  wrongType,
} from '../evaluate/native-function.js';
import { type Arguments, described, type FunctionValue, ListValue, type Value } from '../evaluate/value.js';
import { DECISIONS, type Decision, parseDecision } from './decision.js';
import { nameProblem, pathProblem, plainPath } from './host-executables.js';
import { type NetworkRule, parseHost, parseNetworkDecision, parseProtocol } from './network-rule.js';
import type { PrefixRule } from './prefix-rule.js';
import { splitWords } from './split-words.js';

/** Commands that a rule has to match, or must not. */
export interface Examples {
  readonly match: readonly (readonly string[])[];
  readonly notMatch: readonly (readonly string[])[];
}

/** What becomes of a call; `position` is its offset in the file. */
export interface RuleReceiver {
  addRules(rules: readonly PrefixRule[], examples: Examples, position: number): void;
  addHostExecutable(name: string, paths: readonly string[]): void;
  addNetworkRule(rule: NetworkRule): void;
}

export function ruleBuiltins(receiver: RuleReceiver): FunctionValue[] {
  return [
    nativeFunction('prefix_rule', (args, { position }) => {
      const { rules, examples } = readPrefixRule(args);
      receiver.addRules(rules, examples, position);
      return null;
    }),
    nativeFunction('host_executable', (args) => {
      const { name, paths } = readHostExecutable(args);
      receiver.addHostExecutable(name, paths);
      return null;
    }),
    nativeFunction('network_rule', (args) => {
      receiver.addNetworkRule(readNetworkRule(args));
      return null;
    }),
  ];
}

const PREFIX_RULE = [
  'pattern',
  'decision',
  'match',
  'not_match',
  'justification',
  'canonical_matching',
] as const;

/** Alternatives for the first token make one rule each. */
function readPrefixRule(args: Arguments): { readonly rules: PrefixRule[]; readonly examples: Examples } {
  const given = bindParameters('prefix_rule', PREFIX_RULE, args);
  const [firsts = [], ...rest] = listItems(given.get('pattern'), 'the pattern').map(readAlternatives);
  if (firsts.length === 0) throw invalid('the pattern cannot be empty');
  const common = {
    rest,
    decision: readDecision(orElse(given, 'decision', 'allow'), parseDecision),
    justification: readJustification(given),
    isCanonical: boolArgument(orElse(given, 'canonical_matching', false), '`canonical_matching`'),
  };
  const examples = { match: readExamples(given, 'match'), notMatch: readExamples(given, 'not_match') };
  return { rules: firsts.map((first) => ({ first, ...common })), examples };
}

function readAlternatives(element: Value): readonly string[] {
  if (typeof element === 'string') return [element];
  if (!(element instanceof ListValue)) {
    throw invalid(`an element of the pattern is a string or a list of strings, not ${described(element)}`);
  }
  if (element.items.length === 0) throw invalid('a list of alternatives cannot be empty');
  return element.items.map((item) => {
    if (typeof item !== 'string') throw invalid(`an alternative is a string, not ${described(item)}`);
    return item;
  });
}

function readExamples(given: ReadonlyMap<string, Value>, name: string): (readonly string[])[] {
  return given.has(name) ? listItems(given.get(name), `\`${name}\``).map(readExample) : [];
}

function readExample(example: Value): readonly string[] {
  if (typeof example === 'string') {
    const words = splitWords(example);
    if (words === undefined) throw invalid('an example has a quote or an escape that does not end');
    if (words.length === 0) throw invalid('an example cannot be empty');
    return words;
  }
  if (!(example instanceof ListValue)) {
    throw invalid(`an example is a string or a list of strings, not ${described(example)}`);
  }
  if (example.items.length === 0) throw invalid('an example cannot be empty');
  return example.items.map((token) => {
    if (typeof token !== 'string') throw invalid(`a word of an example is a string, not ${described(token)}`);
    return token;
  });
}

function readHostExecutable(args: Arguments): { readonly name: string; readonly paths: string[] } {
  const given = bindParameters('host_executable', ['name', 'paths'], args);
  const name = textArgument(given.get('name'), '`name`');
  const items = listItems(given.get('paths'), '`paths`');
  refuse(nameProblem(name));
  const paths = items.map((item) => {
    if (typeof item !== 'string') throw invalid(`a path is a string, not ${described(item)}`);
    refuse(pathProblem(name, item));
    return plainPath(item);
  });
  return { name, paths };
}

function readNetworkRule(args: Arguments): NetworkRule {
  const given = bindParameters('network_rule', ['host', 'protocol', 'decision', 'justification'], args);
  const parsed = parseHost(textArgument(given.get('host'), '`host`'));
  if ('problem' in parsed) throw invalid(parsed.problem);
  const protocol = parseProtocol(textArgument(given.get('protocol'), '`protocol`'));
  if (protocol === undefined) throw invalid('the protocol is one of http, https, socks5_tcp, socks5_udp');
  const decision = readDecision(given.get('decision'), parseNetworkDecision);
  return { host: parsed.host, protocol, decision, justification: readJustification(given) };
}

function readDecision(value: Value | undefined, parse: (text: string) => Decision | undefined): Decision {
  const text = textArgument(value, '`decision`');
  const decision = parse(text);
  if (decision === undefined) {
    throw invalid(
      `there is no decision ${JSON.stringify(text)}, only ${DECISIONS.map((one) => `"${one}"`).join(', ')}`,
    );
  }
  return decision;
}

function readJustification(given: ReadonlyMap<string, Value>): string | undefined {
  if (!given.has('justification')) return undefined;
  const text = textArgument(given.get('justification'), '`justification`');
  if (/^\p{White_Space}*$/u.test(text)) throw invalid('the justification cannot be empty');
  return text;
}

/** What is left out has a default; None is a value like others, and a wrong one. */
function orElse(given: ReadonlyMap<string, Value>, name: string, fallback: Value): Value | undefined {
  return given.has(name) ? given.get(name) : fallback;
}

function listItems(value: Value | undefined, what: string): readonly Value[] {
  if (!(value instanceof ListValue)) throw wrongType(what, 'a list', value);
  return value.items;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw invalid(problem);
}

function invalid(reason: string): Fault {
  return new Fault('RULES_INVALID', reason);
}
