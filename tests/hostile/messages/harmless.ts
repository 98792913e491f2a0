// The last look at a message before it is sent: nothing in it may name a place outside the scratch directory, whatever
// the mutations made of it.

export function isHarmless(value: unknown, scratch: string): boolean {
  if (typeof value === 'string') return isHarmlessText(value, scratch);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, part]) => isHarmlessText(key, scratch) && (key === 'argv' || isHarmless(part, scratch)),
  );
}

function isHarmlessText(text: string, scratch: string): boolean {
  if (text.includes('..')) return !text.includes('/') || text.startsWith('../..');
  if (!/^(?:\/|file:)/i.test(text)) return true;
  const path = text.replace(/^file:\/\//i, '');
  return path.startsWith(scratch);
}
