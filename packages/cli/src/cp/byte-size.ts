// Formats byte counts for people.

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 999.95 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${value.toFixed(value < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}
