// Files as the watched command may read them: text as text, pictures of a few harmless kinds, nothing that could run.

import type { DirectoryEntry } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ProcessRow } from '../../model/process-row.js';
import { formatBytes } from '../../text/format.js';
import { safeText } from '../../text/safe-text.js';
import { link } from '../context.js';
import { Icon } from '../icons.js';
import { Empty } from '../parts.js';
import { VirtualList } from '../virtual-list.js';

const ROW_HEIGHT = 27;

interface Shown {
  readonly path: string;
  readonly text: string;
  readonly size: number;
  readonly isWhole: boolean;
}

export function FilesTab({ row }: { readonly row: ProcessRow }) {
  const directory = useSignal(row.cwd);
  const entries = useSignal<readonly DirectoryEntry[] | undefined>(undefined);
  const file = useSignal<Shown | undefined>(undefined);
  const trouble = useSignal('');
  const target = { session: row.session, processId: row.processId };
  const fail = (error: unknown): void => {
    trouble.value = error instanceof Error ? error.message : String(error);
  };
  useEffect(() => {
    if (!link.may('files')) return;
    trouble.value = '';
    entries.value = undefined;
    link.api.value?.directory(target, directory.value).then(({ entries: found }) => {
      entries.value = [...found].sort(
        (a, b) => Number(b.isDirectory) - Number(a.isDirectory) || a.fileName.localeCompare(b.fileName),
      );
    }, fail);
  }, [directory.value, link.api.value]);
  if (!link.may('files'))
    return (
      <Empty title="This ticket does not show files">
        <p>
          <code>exec-server console --grant files</code> makes one that does, for processes that run under a
          policy.
        </p>
      </Empty>
    );
  if (
    trouble.value !== '' &&
    entries.value === undefined &&
    file.value === undefined &&
    directory.value === row.cwd
  )
    return (
      <Empty title="Its files are not shown">
        <p>{sentence(trouble.value)}</p>
      </Empty>
    );
  const shown = entries.value ?? [];
  const open = (entry: DirectoryEntry): void => {
    const path = `${directory.value === '/' ? '' : directory.value}/${entry.fileName}`;
    if (entry.isDirectory) {
      directory.value = path;
      file.value = undefined;
      return;
    }
    trouble.value = '';
    link.api.value?.file(target, path).then(({ chunk, size, eof }) => {
      file.value = { path, size, isWhole: eof, text: textOf(chunk) };
    }, fail);
  };
  return (
    <div class="files-tab">
      <nav class="crumbs" aria-label="Path">
        {crumbs(directory.value).map(({ name, path }) => (
          <button
            key={path}
            type="button"
            class="quiet-button"
            onClick={() => {
              directory.value = path;
              file.value = undefined;
            }}
          >
            {safeText(name)}
          </button>
        ))}
      </nav>
      {trouble.value !== '' && (
        <p class="hint" role="alert">
          {sentence(trouble.value)}
        </p>
      )}
      <div class="files-panes">
        <div class="files-list">
          <VirtualList
            count={shown.length}
            rowHeight={ROW_HEIGHT}
            label="Files"
            empty={
              trouble.value !== '' ? '' : entries.value === undefined ? 'Asking …' : 'There is nothing in it.'
            }
            row={(index) => {
              const entry = shown[index];
              if (entry === undefined) return <div key={index} />;
              return (
                <button key={entry.fileName} type="button" class="file-row" onClick={() => open(entry)}>
                  <Icon name={entry.isDirectory ? 'folder' : 'file'} /> {safeText(entry.fileName)}
                  {entry.isDirectory ? '/' : ''}
                </button>
              );
            }}
          />
        </div>
        {file.value !== undefined && (
          <figure class="file-view">
            <figcaption>
              {safeText(file.value.path)} · {formatBytes(file.value.size)}
              {file.value.isWhole ? '' : ' · the first 256 KiB'}
            </figcaption>
            <pre dir="ltr">{file.value.text}</pre>
          </figure>
        )}
      </div>
    </div>
  );
}

function textOf(bytes: Uint8Array): string {
  if (bytes.subarray(0, 4096).includes(0)) return 'Not a text file.';
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .map((line) => safeText(line.replace(/\r$/, '').replaceAll('\t', '    ')))
    .join('\n');
}

/** What a server answered, as a sentence of its own. */
function sentence(text: string): string {
  const safe = safeText(text);
  return `${safe.slice(0, 1).toUpperCase()}${safe.slice(1)}${/[.!?]$/.test(safe) ? '' : '.'}`;
}

function crumbs(path: string): { readonly name: string; readonly path: string }[] {
  const words = path.split('/').filter((word) => word !== '');
  return [
    { name: '/', path: '/' },
    ...words.map((name, index) => ({ name: `${name} /`, path: `/${words.slice(0, index + 1).join('/')}` })),
  ];
}
