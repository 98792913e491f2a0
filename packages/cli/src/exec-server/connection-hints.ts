// The two lines on stderr that tell a person what to do with the address.

export function connectionHints(url: string, { needsToken }: { readonly needsToken: boolean }): string {
  const token = needsToken ? ' -H "Authorization: Bearer <token>"' : '';
  return (
    `Ready. Codex uses this server with:  CODEX_EXEC_SERVER_URL=${url} codex\n` +
    `By hand:  npx wscat${token} -c ${url}  and type  {"id":1,"method":"initialize","params":{"clientName":"me"}}\n`
  );
}
