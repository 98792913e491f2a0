// The two lines on stderr that tell a person what to do with the address.

export function connectionHints(url: string, { needsToken }: { readonly needsToken: boolean }): string {
  const header = needsToken ? ' -H "Authorization: Bearer <token>"' : '';
  // The variable that Codex reads has no room for a token; its file of environments has.
  const codex = needsToken
    ? `$CODEX_HOME/environments.toml:  [[environments]] id = "box", url = "${url}", auth_bearer_token = "<token>"`
    : `CODEX_EXEC_SERVER_URL=${url} codex`;
  return (
    `Ready. Codex uses this server with:  ${codex}\n` +
    `By hand:  npx wscat${header} -c ${url}  and type  {"id":1,"method":"initialize","params":{"clientName":"me"}}\n`
  );
}
