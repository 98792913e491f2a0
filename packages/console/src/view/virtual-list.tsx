// A list of any length of which only the visible part is in the page. All rows have one height.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly role?: 'tree' | 'list' | 'log';
  /** What stands in its place when there are no rows. */
  readonly empty?: string;
  /** Stays at the end while it is there. */
  readonly followsEnd?: boolean;
  /** Brought into view when `focusKey` changes; not when rows before it come and go. */
  readonly focusIndex?: number | undefined;
  readonly focusKey?: string | undefined;
  row(index: number): JSX.Element;
  onKeyDown?(event: KeyboardEvent): void;
}

const MARGIN_ROWS = 8;

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, label, role = 'list', followsEnd = false, focusIndex, focusKey, row } = props;
  const { empty = '', onKeyDown } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const isAtEnd = useRef(true);

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
      if (followsEnd && isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [height, followsEnd]);

  useLayoutEffect(() => {
    const element = box.current;
    if (followsEnd && isAtEnd.current && element !== null) element.scrollTop = element.scrollHeight;
  }, [count, followsEnd]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || focusIndex === undefined || focusIndex < 0) return;
    const y = focusIndex * rowHeight;
    if (y < element.scrollTop || y + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = y - element.clientHeight / 2;
  }, [focusKey, focusIndex === -1]);

  const first = Math.max(0, Math.floor(top.value / rowHeight) - MARGIN_ROWS);
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + MARGIN_ROWS);
  const rows: JSX.Element[] = [];
  for (let index = first; index < last; index++) rows.push(row(index));
  const onScroll = (): void => {
    const element = box.current;
    if (element === null) return;
    top.value = element.scrollTop;
    isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight;
  };
  // A region that scrolls must be reachable by keyboard.
  const region = { role, 'aria-label': label, tabIndex: 0, onKeyDown };
  return (
    <div class="virtual" ref={box} onScroll={onScroll} {...region}>
      {count === 0 && empty !== '' && <p class="hint-block">{empty}</p>}
      <div class="virtual-space" style={{ height: `${count * rowHeight}px` }} role="presentation">
        <div style={{ transform: `translateY(${first * rowHeight}px)` }} role="presentation">
          {rows}
        </div>
      </div>
    </div>
  );
}
