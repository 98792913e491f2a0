// Where a path really lies. Of what does not exist, the part that does is followed.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(withoutLinks(parent), path.slice(parent.length));
  }
}
