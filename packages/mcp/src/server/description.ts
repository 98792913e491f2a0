// What an MCP server is made of, in our own words: nothing here knows the SDK or the revision that a client speaks.

export type JsonObject = Readonly<Record<string, unknown>>;

export interface McpServerDescription {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** What the client may tell its model about the whole server. */
  readonly instructions?: string;
  /** Announced as `capabilities.experimental`. */
  readonly experimental?: Readonly<Record<string, JsonObject>>;
  readonly tools: readonly McpTool[];
  /** Requests that are not of the protocol, by method. What is returned is the result. */
  readonly methods?: Readonly<Record<string, McpMethod>>;
}

export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments; `type: 'object'`. It is shown to models, and the handler still checks what it gets. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of `structured`; `type: 'object'`. */
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolHints;
  /**
   * What a command did is a result. `InvalidCallError` refuses the call (-32602), any other error is internal (-32603).
   */
  handler(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

/** Hints for the client's user; nothing is enforced by them. */
export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export type McpMethod = (params: JsonObject) => Promise<JsonObject>;

export interface ToolResult {
  /** For clients that show text. */
  readonly text: string;
  /** Everything: some clients show their model nothing else. */
  readonly structured: JsonObject;
  readonly isError?: boolean;
}

/** `handshake` is every revision up to 2025-11-25, `stateless` is 2026-07-28. */
export type ProtocolEra = 'handshake' | 'stateless';

export interface ToolContext {
  /** Aborted when the client cancels the call, or goes, or leaves a question unanswered for too long. */
  readonly signal: AbortSignal;
  readonly protocolEra: ProtocolEra;
  /** Whether the client can ask its user something. */
  readonly canAsk: boolean;
  /** `_meta` of the call that started this run, without the protocol's own keys. */
  readonly meta: JsonObject;
  /** Sent at most ten times a second, the newest text first; dropped when the client did not ask for progress. */
  progress(message: string): void;
  /** Any number at the same time. It always resolves; an abort of `signal` withdraws the question. */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
}

export interface Question {
  readonly message: string;
  /** JSON Schemas of the fields of a form; none is a plain yes or no. */
  readonly fields?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

export type Answer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' }
  /** The client has no elicitation. */
  | { readonly action: 'unavailable' }
  /** The call was cancelled or ended while the question was open. */
  | { readonly action: 'withdrawn' }
  /** The client answered with an error, or with something that is no answer. */
  | { readonly action: 'failed'; readonly reason: string };
