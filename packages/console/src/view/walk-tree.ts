// The arrow keys in a tree of which only the visible part is in the page: the focus goes from row to row, and the rows that come
// into view with it are drawn.

export function walkTree(event: KeyboardEvent): void {
  const { key, currentTarget: box } = event;
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !(box instanceof HTMLElement)) return;
  event.preventDefault();
  const rows = [...box.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = here === -1 ? firstOf(rows, box) : rows[here + (key === 'ArrowDown' ? 1 : -1)];
  next?.focus();
}

/** The row that is chosen, where it is seen; otherwise the first that is. */
function firstOf(rows: readonly HTMLElement[], box: HTMLElement): HTMLElement | undefined {
  const { top, bottom } = box.getBoundingClientRect();
  const seen = rows.filter((row) => {
    const place = row.getBoundingClientRect();
    return place.top >= top && place.bottom <= bottom;
  });
  return seen.find((row) => row.getAttribute('aria-selected') === 'true') ?? seen[0];
}
