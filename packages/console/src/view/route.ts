// Where one is, as an address that can be given to others: `#/s/<session>/p/<process>?tab=terminal&seq=4711`.

import { signal } from '@preact/signals';

export const TABS = ['terminal', 'output', 'tree', 'policy', 'files', 'events'] as const;
export type Tab = (typeof TABS)[number];

export type Route =
  | { readonly page: 'overview' | 'approvals' | 'journal' }
  | { readonly page: 'session'; readonly session: string }
  | {
      readonly page: 'process';
      readonly session: string;
      readonly processId: string;
      readonly tab: Tab;
      readonly seq?: number | undefined;
    };

export const route = signal<Route>(parseRoute(location.hash));

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const words = path.split('/').map((word) => decode(word));
  const [, first, session = '', , processId = ''] = words;
  if (first === 's' && session !== '' && processId !== '') {
    const params = new URLSearchParams(query);
    const seq = Number(params.get('seq') ?? '');
    const tab = TABS.find((name) => name === params.get('tab')) ?? 'terminal';
    return { page: 'process', session, processId, tab, ...(seq > 0 ? { seq } : {}) };
  }
  if (first === 's' && session !== '') return { page: 'session', session };
  return { page: first === 'approvals' || first === 'journal' ? first : 'overview' };
}

export function addressOf(to: Route): string {
  if (to.page === 'session') return `#/s/${encodeURIComponent(to.session)}`;
  if (to.page !== 'process') return to.page === 'overview' ? '#/' : `#/${to.page}`;
  const query = new URLSearchParams();
  if (to.tab !== 'terminal') query.set('tab', to.tab);
  if (to.seq !== undefined) query.set('seq', String(to.seq));
  const tail = query.size === 0 ? '' : `?${query.toString()}`;
  return `#/s/${encodeURIComponent(to.session)}/p/${encodeURIComponent(to.processId)}${tail}`;
}

export function go(to: Route): void {
  if (addressOf(to) !== location.hash) history.pushState(null, '', addressOf(to));
  route.value = to;
}

/** The same place at another moment: no step in the history. */
export function moveTo(to: Route): void {
  history.replaceState(null, '', addressOf(to));
  route.value = to;
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return '';
  }
}
