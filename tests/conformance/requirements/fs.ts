// Files and directories.
import { FS_CONTENT } from './fs-content.js';
import { FS_SANDBOX } from './fs-sandbox.js';
import { FS_TREE } from './fs-tree.js';

export const FS = [...FS_CONTENT, ...FS_TREE, ...FS_SANDBOX] as const;
