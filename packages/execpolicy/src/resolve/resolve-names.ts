// Which scope declares which name, decided before anything runs: a name that no statement binds is an error even where it is
// never reached, and a name that is bound anywhere in a body belongs to that body everywhere.

import type { Clause, ComprehensionNode, Expression, FunctionNode, Statement, Target } from '../parse/ast.js';
import type { SourceText } from '../source/source-text.js';
import { addTarget, boundNames } from './bound-names.js';

export interface ResolvedNames {
  readonly file: ReadonlySet<string>;
  readonly inner: ReadonlyMap<FunctionNode | ComprehensionNode, ReadonlySet<string>>;
}

/** Functions that files of Codex can call besides. */
const KNOWN_ELSEWHERE: ReadonlySet<string> = new Set(
  'abs bytes chr dir float getattr hasattr hash ord'.split(' '),
);

interface Names {
  readonly declared: ReadonlySet<string>;
  readonly outer: Names | undefined;
}

export function resolveNames(
  source: SourceText,
  body: readonly Statement[],
  builtins: ReadonlySet<string>,
): ResolvedNames {
  const file = boundNames(body);
  const resolver = new Resolver(source);
  resolver.body(body, { declared: file, outer: { declared: builtins, outer: undefined } });
  return { file, inner: resolver.inner };
}

class Resolver {
  readonly #source: SourceText;
  readonly inner = new Map<FunctionNode | ComprehensionNode, ReadonlySet<string>>();

  constructor(source: SourceText) {
    this.#source = source;
  }

  body(statements: readonly Statement[], names: Names): void {
    for (const statement of statements) this.#statement(statement, names);
  }

  #statement(statement: Statement, names: Names): void {
    switch (statement.kind) {
      case 'expression':
        this.#expression(statement.value, names);
        break;
      case 'assign':
      case 'update':
        this.#expression(statement.value, names);
        this.#target(statement.target, names);
        break;
      case 'if':
        for (const { test, body } of statement.branches) {
          this.#expression(test, names);
          this.body(body, names);
        }
        this.body(statement.otherwise, names);
        break;
      case 'for':
        this.#expression(statement.iterable, names);
        this.#target(statement.target, names);
        this.body(statement.body, names);
        break;
      case 'def':
        this.#function(statement.definition, names);
        break;
      case 'return':
        if (statement.value !== undefined) this.#expression(statement.value, names);
        break;
      case 'break':
      case 'continue':
      case 'pass':
        break;
    }
  }

  #expression(node: Expression, names: Names): void {
    if (node.kind === 'name') this.#name(node.name, node.at, names);
    else if (node.kind === 'template') {
      for (const part of node.parts) if (typeof part !== 'string') this.#name(part.name, part.at, names);
    } else if (node.kind === 'function') this.#function(node, names);
    else if (node.kind === 'comprehension') this.#comprehension(node, names);
    else if (node.kind !== 'literal') for (const part of partsOf(node)) this.#expression(part, names);
  }

  #function(node: FunctionNode, names: Names): void {
    for (const { fallback } of node.parameters) if (fallback !== undefined) this.#expression(fallback, names);
    const declared = boundNames(node.body);
    for (const { name } of node.parameters) declared.add(name);
    this.inner.set(node, declared);
    this.body(node.body, { declared, outer: names });
  }

  /** The first list is looked up outside: `[x for x in x]` means the outer one by the last `x`. */
  #comprehension(node: ComprehensionNode, names: Names): void {
    const declared = new Set<string>();
    for (const clause of node.clauses) if (clause.kind === 'for') addTarget(clause.target, declared);
    this.inner.set(node, declared);
    const inside = { declared, outer: names };
    node.clauses.forEach((clause, index) => {
      this.#clause(clause, index === 0 ? names : inside, inside);
    });
    if ('key' in node.result) {
      this.#expression(node.result.key, inside);
      this.#expression(node.result.value, inside);
    } else this.#expression(node.result, inside);
  }

  #clause(clause: Clause, ofIterable: Names, inside: Names): void {
    if (clause.kind === 'if') {
      this.#expression(clause.test, inside);
      return;
    }
    this.#expression(clause.iterable, ofIterable);
    this.#target(clause.target, inside);
  }

  #target(target: Target, names: Names): void {
    if (target.kind === 'unpack') for (const inner of target.targets) this.#target(inner, names);
    else if (target.kind === 'index') this.#expression(target, names);
  }

  #name(name: string, at: number, names: Names): void {
    for (let scope: Names | undefined = names; scope !== undefined; scope = scope.outer) {
      if (scope.declared.has(name)) return;
    }
    if (KNOWN_ELSEWHERE.has(name)) {
      throw this.#source.error('RULES_UNSUPPORTED', `\`${name}\`: not supported in rule files here`, at);
    }
    throw this.#source.error(
      'RULES_SYNTAX',
      `nothing is called \`${name}\` here, and text stands in quotes`,
      at,
    );
  }
}

function partsOf(
  node: Exclude<Expression, { kind: 'literal' | 'name' | 'template' | 'function' | 'comprehension' }>,
): readonly Expression[] {
  switch (node.kind) {
    case 'list':
    case 'tuple':
      return node.items;
    case 'dict':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'conditional':
      return [node.test, node.then, node.otherwise];
    case 'logical':
      return node.operands;
    case 'not':
    case 'sign':
      return [node.operand];
    case 'arithmetic':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'comparison':
      return [node.left, node.right];
    case 'index':
      return [node.object, node.index];
    case 'slice':
      return [node.object, ...node.bounds.filter((bound) => bound !== undefined)];
    case 'member':
      return [node.object];
    case 'call':
      return [
        node.callee,
        ...node.positional,
        ...node.named.map(({ value }) => value),
        ...[node.rest, node.restNamed].filter((part) => part !== undefined),
      ];
  }
}
