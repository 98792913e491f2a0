// The variables that every command gets: they make output plain text, switch prompts off, and name the call it
// belongs to. They are set over what the executor inherits; an application's own come last.

const PLAIN_OUTPUT: Readonly<Record<string, string>> = Object.freeze({
  NO_COLOR: '1',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  LC_CTYPE: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  COLORTERM: '',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  CODEX_CI: '1',
});

export interface ChildFacts {
  readonly threadId: string;
  readonly callId: string;
  readonly isNetworkOff: boolean;
  readonly childEnv: Readonly<Record<string, string>>;
}

export function childEnvironment({
  threadId,
  callId,
  isNetworkOff,
  childEnv,
}: ChildFacts): Record<string, string> {
  return {
    ...PLAIN_OUTPUT,
    CODEX_THREAD_ID: threadId,
    CODEX_SESSION_ID: threadId,
    CODEX_TOOL_CALL_ID: withoutNul(callId),
    ...(isNetworkOff ? { CODEX_SANDBOX_NETWORK_DISABLED: '1' } : {}),
    ...childEnv,
  };
}

/** Call ids are the model provider's. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
