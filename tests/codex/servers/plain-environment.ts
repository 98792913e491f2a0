// What the programs of a turn inherit: enough to run, and nothing of the person who runs the suite. In an empty home no
// profile prints, sets or delays anything.

const KEPT = ['PATH', 'LANG', 'USER', 'LOGNAME', 'SHELL', 'TZ'];

export function plainEnvironment(home: string): Record<string, string> {
  const environment: Record<string, string> = { HOME: home };
  for (const name of KEPT) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
