// The syntax tree. `at` is the offset an error about the node points to.
// Chains of operators are flat: their length is bounded by the file, not by the stack.

import type { TemplatePart } from '../lex/token.js';

export type ArithmeticOperator = '+' | '-' | '*' | '//' | '%';
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export type Expression =
  | { readonly kind: 'literal'; readonly at: number; readonly value: string | bigint }
  | { readonly kind: 'template'; readonly at: number; readonly parts: readonly TemplatePart[] }
  | NameNode
  | SequenceNode
  | { readonly kind: 'dict'; readonly at: number; readonly entries: readonly DictEntry[] }
  | ComprehensionNode
  | FunctionNode
  | ConditionalNode
  | {
      readonly kind: 'logical';
      readonly at: number;
      readonly operator: 'and' | 'or';
      readonly operands: readonly Expression[];
    }
  | { readonly kind: 'not'; readonly at: number; readonly operand: Expression }
  | { readonly kind: 'sign'; readonly at: number; readonly operator: '+' | '-'; readonly operand: Expression }
  | ArithmeticNode
  | ComparisonNode
  | IndexNode
  | SliceNode
  | { readonly kind: 'member'; readonly at: number; readonly object: Expression; readonly name: string }
  | CallNode;

export interface NameNode {
  readonly kind: 'name';
  readonly at: number;
  readonly name: string;
}

export interface SequenceNode {
  readonly kind: 'list' | 'tuple';
  readonly at: number;
  readonly items: readonly Expression[];
}

export interface DictEntry {
  readonly key: Expression;
  readonly value: Expression;
}

export type Clause =
  | { readonly kind: 'for'; readonly target: Target; readonly iterable: Expression }
  | { readonly kind: 'if'; readonly test: Expression };

export interface ComprehensionNode {
  readonly kind: 'comprehension';
  readonly at: number;
  readonly result: Expression | DictEntry;
  readonly clauses: readonly Clause[];
}

export interface Parameter {
  readonly kind: 'plain' | 'named-only' | 'rest' | 'rest-named';
  readonly name: string;
  readonly at: number;
  readonly fallback: Expression | undefined;
}

/** A `def` or a `lambda`: the body of the latter is one `return`. */
export interface FunctionNode {
  readonly kind: 'function';
  readonly at: number;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface ConditionalNode {
  readonly kind: 'conditional';
  readonly at: number;
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface ArithmeticNode {
  readonly kind: 'arithmetic';
  readonly at: number;
  readonly first: Expression;
  readonly rest: readonly { readonly operator: ArithmeticOperator; readonly operand: Expression }[];
}

export interface ComparisonNode {
  readonly kind: 'comparison';
  readonly at: number;
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface IndexNode {
  readonly kind: 'index';
  readonly at: number;
  readonly object: Expression;
  readonly index: Expression;
}

export interface SliceNode {
  readonly kind: 'slice';
  readonly at: number;
  readonly object: Expression;
  readonly bounds: readonly [start?: Expression, stop?: Expression, step?: Expression];
}

export interface CallNode {
  readonly kind: 'call';
  readonly at: number;
  readonly callee: Expression;
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly value: Expression }[];
  readonly rest: Expression | undefined;
  readonly restNamed: Expression | undefined;
}

export type Target =
  | NameNode
  | IndexNode
  | { readonly kind: 'unpack'; readonly at: number; readonly targets: readonly Target[] };

export type Statement =
  | { readonly kind: 'expression'; readonly at: number; readonly value: Expression }
  | { readonly kind: 'assign'; readonly at: number; readonly target: Target; readonly value: Expression }
  | {
      readonly kind: 'update';
      readonly at: number;
      readonly target: NameNode | IndexNode;
      readonly operator: ArithmeticOperator;
      readonly value: Expression;
    }
  | {
      readonly kind: 'if';
      readonly at: number;
      readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'for';
      readonly at: number;
      readonly target: Target;
      readonly iterable: Expression;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'def'; readonly at: number; readonly definition: FunctionNode }
  | { readonly kind: 'return'; readonly at: number; readonly value: Expression | undefined }
  | { readonly kind: 'break' | 'continue' | 'pass'; readonly at: number };
