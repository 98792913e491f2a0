// Directories, metadata and whole entries, and the file additions of this project.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';
const host = ['shared-host'] as const;
const options = ['shared-host', 'extension:fsWriteOptions'] as const;
const rename = ['shared-host', 'extension:fsRename'] as const;
const watch = ['shared-host', 'extension:fsWatch'] as const;

export const FS_TREE = [
  {
    id: 'fs.createDirectory.recursive',
    source,
    behaviour: 'Missing parents are created by default, and an existing directory is fine.',
    needs: host,
  },
  {
    id: 'fs.createDirectory.single',
    source,
    behaviour: 'With `recursive: false` an existing directory is -32603 and a missing parent -32004.',
    needs: host,
  },
  { id: 'fs.createDirectory.in-the-way', source, behaviour: 'A file in the way is -32603.', needs: host },
  {
    id: 'fs.createDirectory.no-follow',
    source,
    behaviour: 'With `followSymlinks: false` a link in the path is refused and nothing is created.',
    needs: host,
  },
  {
    id: 'fs.getMetadata.kinds',
    source,
    behaviour:
      'Files, directories, links to both and special files are told apart, with size and modification time.',
    needs: host,
  },
  {
    id: 'fs.getMetadata.missing',
    source,
    behaviour: 'A missing entry, or a dangling link, is -32004; below a file it is -32603.',
    needs: host,
  },
  {
    id: 'fs.getMetadata.no-follow',
    source,
    behaviour:
      'With `followSymlinks: false` a link is -32600 `path contains a symbolic link`, and in a parent it is refused.',
    needs: host,
  },
  {
    id: 'fs.getMetadata.many',
    source,
    behaviour: 'Hundreds of requests sent without waiting are all answered.',
    needs: host,
  },
  {
    id: 'fs.canonicalize.links',
    source,
    behaviour: 'Links, dots and double slashes are resolved, and the answer is a `file:` URI.',
    needs: host,
  },
  { id: 'fs.canonicalize.missing', source, behaviour: 'A missing entry is -32004.', needs: host },
  {
    id: 'fs.readDirectory.entries',
    source,
    behaviour: 'Every entry is listed with its kind, links by what they lead to, dangling ones left out.',
    needs: host,
  },
  {
    id: 'fs.readDirectory.not-a-directory',
    source,
    behaviour: 'A file is -32603, a missing directory -32004.',
    needs: host,
  },
  {
    id: 'fs.walk.order',
    source,
    behaviour: 'Entries come level by level, sorted by name within a directory.',
    needs: host,
  },
  { id: 'fs.walk.depth', source, behaviour: 'Depth 0 lists the children of the root only.', needs: host },
  {
    id: 'fs.walk.directory-limit',
    source,
    behaviour: '`maxDirectories` bounds the directories that are read, and the result says truncated.',
    needs: host,
  },
  {
    id: 'fs.walk.entry-limit',
    source,
    behaviour: '`maxEntries` bounds the entries; exactly as many as there are is not truncated.',
    needs: host,
  },
  {
    id: 'fs.walk.limits-checked-first',
    source,
    behaviour: 'Limits of zero, or above the maximums, are -32600 even when the root is missing.',
    needs: host,
  },
  { id: 'fs.walk.options-required', source, behaviour: 'Missing options are -32602 and named.', needs: host },
  {
    id: 'fs.walk.root',
    source,
    behaviour: 'A root that is a file gives an empty result, a missing one is -32004.',
    needs: host,
  },
  {
    id: 'fs.walk.links',
    source,
    behaviour:
      'Links are left out; with `followDirectorySymlinks` links to directories are walked, the root included.',
    needs: host,
  },
  { id: 'fs.walk.cycle', source, behaviour: 'A cycle of links ends.', needs: host },
  {
    id: 'fs.walk.hidden',
    source,
    behaviour: '`pruneHiddenDirectories` lists hidden directories without entering them.',
    needs: host,
  },
  {
    id: 'fs.walk.not-utf8',
    source,
    behaviour: 'A name that is not UTF-8 does not fail the walk.',
    needs: host,
  },
  {
    id: 'fs.remove.file',
    source,
    behaviour: 'A file, a FIFO and an empty directory are removed.',
    needs: host,
  },
  {
    id: 'fs.remove.missing',
    source,
    behaviour: 'A missing entry is fine by default and -32004 with `force: false`.',
    needs: host,
  },
  {
    id: 'fs.remove.directory',
    source,
    behaviour:
      'A directory is removed with its contents by default, and refused with `recursive: false` unless empty.',
    needs: host,
  },
  {
    id: 'fs.remove.link',
    source,
    behaviour: 'A link is removed, never what it leads to, on its own and inside a directory.',
    needs: host,
  },
  {
    id: 'fs.remove.no-follow',
    source,
    behaviour: 'With `followSymlinks: false` a link in a parent is refused.',
    needs: host,
  },
  { id: 'fs.remove.below-a-file', source, behaviour: 'A path below a file is -32603.', needs: host },
  {
    id: 'fs.copy.file',
    source,
    behaviour: 'A file is copied with its mode, over an existing one too.',
    needs: host,
  },
  {
    id: 'fs.copy.missing',
    source,
    behaviour: 'A missing source or a missing parent of the destination is -32004.',
    needs: host,
  },
  {
    id: 'fs.copy.recursive-required',
    source,
    behaviour: '`recursive` is required, and must be true for a directory.',
    needs: host,
  },
  {
    id: 'fs.copy.directory',
    source,
    behaviour: 'A directory is copied with everything in it; links stay links, special files are left out.',
    needs: host,
  },
  {
    id: 'fs.copy.into-itself',
    source,
    behaviour: 'A directory cannot be copied to itself or below itself (-32600).',
    needs: host,
  },
  { id: 'fs.copy.link', source, behaviour: 'A link is copied as a link.', needs: host },
  { id: 'fs.copy.special', source, behaviour: 'A FIFO is -32600.', needs: host },
  {
    id: 'fs.copy.onto-itself',
    source: ours,
    behaviour: 'Copying a file onto itself, under another name too, keeps its contents.',
    needs: host,
  },
  {
    id: 'fs.writeFile.append',
    source: ours,
    behaviour: '`append: true` adds to the end of the file.',
    needs: options,
  },
  {
    id: 'fs.writeFile.exclusive',
    source: ours,
    behaviour: '`exclusive: true` fails when the file exists and leaves it alone.',
    needs: options,
  },
  {
    id: 'fs.writeFile.mode',
    source: ours,
    behaviour: '`mode` gives the permission bits of a new file.',
    needs: options,
  },
  {
    id: 'fs.writeFile.atomic',
    source: ours,
    behaviour: '`atomic: true` replaces the file in one step and leaves nothing else behind.',
    needs: options,
  },
  {
    id: 'fs.rename.moves',
    source: ours,
    behaviour: 'A file or a directory gets another name, and replaces what had it.',
    needs: rename,
  },
  {
    id: 'fs.rename.no-overwrite',
    source: ours,
    behaviour: 'With `overwrite: false` an existing destination is refused and both stay.',
    needs: rename,
  },
  { id: 'fs.rename.missing', source: ours, behaviour: 'A missing source is -32004.', needs: rename },
  {
    id: 'fs.watch.changes',
    source: ours,
    behaviour: 'Created, modified and removed entries of a directory are reported.',
    needs: watch,
  },
  {
    id: 'fs.watch.recursive',
    source: ours,
    behaviour: 'A recursive watch reports changes below, in directories made later too.',
    needs: watch,
  },
  {
    id: 'fs.watch.ends',
    source: ours,
    behaviour: 'After `fs/unwatch` nothing is reported, and its id can be used again.',
    needs: watch,
  },
  {
    id: 'fs.watch.refused',
    source: ours,
    behaviour: 'Watching a missing path is -32004, and an id in use is refused.',
    needs: watch,
  },
] as const satisfies readonly Requirement[];
