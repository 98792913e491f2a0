// Parses a path of a request: the native path, and the form in which paths are to be answered.
import {
  invalidParams,
  invalidRequest,
  type PathForm,
  PathUriError,
  parsePathBytes,
  parsePathInput,
  type RpcError,
} from '@codex/exec-protocol';
import { fromBytes, type NativePath } from './native-path.js';

export interface PathArgument {
  readonly native: NativePath;
  readonly form: PathForm;
}

const PLATFORM = process.platform === 'darwin' ? 'macos' : process.platform;

export function parsePathArgument(text: string): PathArgument {
  try {
    const { path, form } = parsePathInput(text, PLATFORM);
    return { native: path, form };
  } catch (error) {
    if (!(error instanceof PathUriError)) throw error;
    if (error.code !== 'PATH_URI_ENCODING') throw toRpcError(error);
    const { bytes, form } = parsePathBytes(text, PLATFORM);
    return { native: fromBytes(bytes), form };
  }
}

/** upstream: what is no path at all is a bad parameter; what is one on another system is a bad request. */
function toRpcError(error: PathUriError): RpcError {
  return error.code === 'PATH_URI_FOREIGN' ? invalidRequest(error.message) : invalidParams(error.message);
}
