import { describe, expect, it } from 'vitest';
import { patchCommand } from './patch-command.js';

const BODY = '*** Begin Patch\n*** End Patch';

describe('a command that is a patch', () => {
  it.each([
    [`apply_patch <<'EOF'\n${BODY}\nEOF`, { patch: BODY }],
    [`apply_patch <<EOF\n${BODY}\nEOF\n`, { patch: BODY }],
    [`  applypatch << "PATCH"\n${BODY}\nPATCH\n\n`, { patch: BODY }],
    [`apply_patch <<-'EOF'\n${BODY}\nEOF`, { patch: BODY }],
    [`apply_patch <<'E O F'\n${BODY}\nE O F`, { patch: BODY }],
    [`apply_patch <<\\EOF-1\n${BODY}\nEOF-1`, { patch: BODY }],
    [`A=1 B= apply_patch <<'EOF'\n${BODY}\nEOF  `, { patch: BODY }],
    [`cd sub && apply_patch <<'EOF'\n${BODY}\nEOF`, { patch: BODY, folder: 'sub' }],
    [`cd 'a b' && apply_patch <<'EOF'\n${BODY}\nEOF`, { patch: BODY, folder: 'a b' }],
    [`cd "/a b" && apply_patch <<'EOF'\n${BODY}\nEOF`, { patch: BODY, folder: '/a b' }],
  ])('%j', (script, command) => {
    expect(patchCommand(script)).toEqual(command);
  });

  it.each([
    'apply_patch',
    `apply_patch '${BODY}'`,
    `echo hi; apply_patch <<'EOF'\n${BODY}\nEOF`,
    `apply_patch <<'EOF'\n${BODY}\nEOF\necho more`,
    `apply_patch <<'EOF' && echo more\n${BODY}\nEOF`,
    `apply_patch <<'EOF' | sh\n${BODY}\nEOF`,
    `apply_patch <<'EOF'\n${BODY}`,
    `apply_patch <<'EOF'\n${BODY}\nEOF\n${BODY}\nEOF`,
    `apply_patch <<'EOF'\n${BODY}\nEOF  \necho more`,
    `A=$(x) apply_patch <<'EOF'\n${BODY}\nEOF`,
    `apply_patch <<"$(x)"\n${BODY}\n$(x)`,
    `apply_patch <<'EOF"\n${BODY}\nEOF`,
    `cd $HOME && apply_patch <<'EOF'\n${BODY}\nEOF`,
    `cd ~ && apply_patch <<'EOF'\n${BODY}\nEOF`,
    `cd "$(x)" && apply_patch <<'EOF'\n${BODY}\nEOF`,
    `cd a; apply_patch <<'EOF'\n${BODY}\nEOF`,
  ])('is not %j', (script) => {
    expect(patchCommand(script)).toBeUndefined();
  });
});
