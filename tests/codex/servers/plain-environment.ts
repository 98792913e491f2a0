// What the programs of a turn inherit: enough to run, and nothing of the person who runs the suite. In an empty home no
// profile prints, sets or delays anything.

const KEPT = ['PATH', 'LANG', 'USER', 'LOGNAME', 'SHELL', 'TZ'];

export function plainEnvironment(home: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home };
}
