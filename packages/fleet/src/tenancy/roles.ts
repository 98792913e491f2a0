// What each role may write and read. The broker fills in whose key it is and which environments and machines it is for, so
// that no client can speak under another name.

export const ROLES = ['executor', 'client', 'gateway', 'observer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface Permissions {
  readonly pub: { readonly allow: readonly string[] } | { readonly deny: readonly string[] };
  readonly sub: { readonly allow: readonly string[] } | { readonly deny: readonly string[] };
}

const BASE = 'exec.v1.{{tag(environment)}}';
const KEY = '{{subject()}}';
const MACHINE = '{{tag(machine)}}';

/** Questions to services of NATS, and where the tools of NATS want them answered. Nothing else of a fleet goes there. */
const SERVICES = '$SRV.>';
const INBOXES = '_INBOX.>';

/** What machines say about themselves, and callers about what they miss. */
const SEEN = [`${BASE}.beat.*`, `${BASE}.want.*.*`];

function callerPermissions(role: 'c' | 'g'): Permissions {
  return {
    pub: {
      allow: [`${BASE}.open.${role}.${KEY}`, `${BASE}.x.*.${role}.${KEY}.>`, `${BASE}.want.${role}.${KEY}`],
    },
    sub: { allow: [`${BASE}.r.${role}.${KEY}.>`] },
  };
}

export const ROLE_PERMISSIONS: Readonly<Record<Role, Permissions>> = {
  executor: {
    pub: { allow: [`${BASE}.r.>`, `${BASE}.beat.${MACHINE}`, INBOXES] },
    sub: {
      allow: [
        // A role cannot be bound to the queue group: templates with one are dropped by the broker. So machines may hear what
        // others are asked, and nothing in it lets them speak in their place.
        `${BASE}.open.*.*`,
        `${BASE}.x.${MACHINE}.>`,
        `${BASE}.beat.${MACHINE}`,
        `${BASE}.drain.${MACHINE}`,
        SERVICES,
      ],
    },
  },
  client: callerPermissions('c'),
  gateway: callerPermissions('g'),
  observer: { pub: { deny: ['>'] }, sub: { allow: SEEN } },
  admin: {
    pub: { allow: [`${BASE}.drain.*`, SERVICES] },
    sub: { allow: [...SEEN, `${BASE}.r.o.${KEY}.>`, INBOXES] },
  },
};
