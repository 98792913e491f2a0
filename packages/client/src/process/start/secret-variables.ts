// Variables of the server that a command does not get unless its caller asks for them. Servers leave out names with KEY,
// SECRET or TOKEN by themselves; these are the other names under which programs keep what opens doors: passwords,
// addresses that hold one, and sockets behind which an agent signs or acts for the user.
//
// It goes by names, which is all a server can be told: a secret under another name passes, and so do proxies
// (`HTTP_PROXY`), which commands need to reach anything. What must not be read belongs neither in the server's
// environment nor, without a sandbox, in its files.

export const DEFAULT_ENV_EXCLUDES: readonly string[] = Object.freeze([
  '*PASSWORD*',
  '*PASSWD*',
  '*PASSPHRASE*',
  '*_PASS',
  '*_PWD',
  '*CREDENTIAL*',
  '*COOKIE*',
  '*_AUTH',
  '*_AUTH_*',
  '*_PAT',
  '*_DSN',
  '*_URL',
  '*_URI',
  '*CONNECTION_STRING*',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
]);
