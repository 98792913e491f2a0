// Reads file bytes for a reply, within the room that the connection has for replies.

import type {
  FileBlock,
  FileSystem,
  FsLimits,
  NativePath,
  ReadTreeOptions,
  TreePart,
} from '@codex/exec-files';
import { type FsError, fileTooLarge, invalidInput } from '@codex/exec-files';
import { TREE_PAYLOAD_BYTES } from '@codex/exec-protocol';
import type { RequestContext } from '../request-context.js';
import type { FileHandles } from './file-handles.js';
import { ReplyMemory } from './reply-memory.js';
import type { ReplyRoom } from './reply-room.js';

interface Reply {
  readonly replyRoom: ReplyRoom;
  readonly context: Pick<RequestContext, 'afterReply'>;
}

export interface FileReply extends Reply {
  readonly fileSystem: FileSystem;
  readonly path: NativePath;
  readonly followSymlinks: boolean;
  readonly limits: FsLimits;
}

export interface FileForReply {
  readonly bytes: Uint8Array;
  /** Nobody looks at the bytes any more. */
  onTaken(): void;
}

export async function readFileForReply(request: FileReply): Promise<FileForReply> {
  const { fileSystem, path, followSymlinks, limits } = request;
  const memory = new ReplyMemory();
  const bytes = await withinRoom(request, (reserve) =>
    fileSystem.readFile(path, {
      followSymlinks,
      maxBytes: Math.min(limits.maxReadFileBytes, limits.maxReplyFileBytes),
      tooLarge: (size) => tooLargeForReply(size, limits),
      reserve,
      memoryFor: (size) => memory.borrow(size),
    }),
  );
  return { bytes, onTaken: () => memory.release() };
}

export interface BlockReply extends Reply {
  readonly handles: FileHandles;
  readonly handleId: string;
  readonly offset: number;
  readonly length: number;
}

/** upstream: a failed read closes the handle. */
export async function readBlockForReply(request: BlockReply): Promise<FileBlock & FileForReply> {
  const { handles, handleId, offset, length } = request;
  const memory = new ReplyMemory();
  const block = await withinRoom(request, (reserve) =>
    handles.use(handleId, async (file) => {
      await reserve(length);
      try {
        return await file.read(offset, length, memory.borrow(length));
      } catch (error) {
        void handles.close(handleId);
        throw error;
      }
    }),
  );
  return { ...block, onTaken: () => memory.release() };
}

export interface TreeReply extends Reply {
  readonly fileSystem: FileSystem;
  readonly root: NativePath;
  readonly options: ReadTreeOptions;
}

export async function readTreeForReply({
  fileSystem,
  root,
  options,
  ...reply
}: TreeReply): Promise<TreePart & FileForReply> {
  const memory = new ReplyMemory();
  const part = await withinRoom(reply, async (reserve) => {
    await reserve(TREE_PAYLOAD_BYTES);
    return fileSystem.readTree(root, { ...options, memoryFor: (bytes) => memory.borrow(bytes) });
  });
  return { ...part, onTaken: () => memory.release() };
}

function tooLargeForReply(size: number, limits: FsLimits): FsError {
  if (size > limits.maxReadFileBytes) return fileTooLarge(limits.maxReadFileBytes);
  return invalidInput(
    `file is too large for one reply: ${size} bytes, limit is ${limits.maxReplyFileBytes} bytes; ` +
      'read it in blocks with fs/open and fs/readBlock',
  );
}

async function withinRoom<T>(
  { replyRoom, context }: Reply,
  act: (reserve: (bytes: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  let reserved = 0;
  const reserve = async (bytes: number): Promise<void> => {
    await replyRoom.acquire(bytes);
    reserved = bytes;
  };
  try {
    const result = await act(reserve);
    context.afterReply(() => replyRoom.release(reserved));
    return result;
  } catch (error) {
    replyRoom.release(reserved);
    throw error;
  }
}
