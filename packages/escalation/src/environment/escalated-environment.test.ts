import { describe, expect, it } from 'vitest';
import { admittedNames } from './admitted-names.js';
import { escalatedEnvironment, sessionOutside } from './escalated-environment.js';

const session = { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C', TOKEN: 'secret of the session' };

function outside(asked: Record<string, string>, listed: string[] = [], more: Record<string, string> = {}) {
  const kept = sessionOutside({ ...session, ...more }, (folder) => folder.startsWith('/project'));
  return escalatedEnvironment(kept, new Map(Object.entries(asked)), admittedNames(listed));
}

describe('escalatedEnvironment', () => {
  it('is that of the session, and how text looks', () => {
    expect(
      outside({ LANG: 'de_DE.UTF-8', LC_TIME: 'C', TZ: 'Europe/Berlin', COLUMNS: '80', X: 'y' }),
    ).toEqual({ ...session, LANG: 'de_DE.UTF-8', LC_TIME: 'C', TZ: 'Europe/Berlin', COLUMNS: '80' });
  });

  it.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_AUDIT',
    'GLIBC_TUNABLES',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_ls%%',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'PERL5LIB',
    'RUBYOPT',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'GIT_CONFIG_COUNT',
    'GIT_EXTERNAL_DIFF',
    'GH_CONFIG_DIR',
    'SSH_ASKPASS',
    'XDG_CONFIG_HOME',
    'EDITOR',
    'PAGER',
    'HOME',
    'PATH',
    'TMPDIR',
    'IFS',
    'JAVA_TOOL_OPTIONS',
    'npm_config_node_options',
    'AN_UNKNOWN_NAME_THAT_LOADS_CODE',
  ])('does not take %s from the asking process', (name) => {
    expect(outside({ [name]: '/project/evil' })).toEqual(session);
  });

  it.each([
    ['PYTHONPATH', '/opt/lib:/project/src'],
    ['PYTHONPATH', 'src'],
    ['PYTHONPATH', '/opt/lib:'],
    ['LD_LIBRARY_PATH', '/project/lib'],
    ['NODE_OPTIONS', '--max-old-space-size=100 --require=/project/hook.js'],
    ['NODE_OPTIONS', '--require ./hook.js'],
    ['PERL5OPT', '-I/project/lib -MEvil'],
    ['BASH_ENV', '/project/.env'],
    ['GIT_CONFIG_GLOBAL', '/project/gitconfig'],
    ['npm_config_userconfig', '/project/.npmrc'],
    ['VIRTUAL_ENV', '/project/.venv'],
    // Found from the working directory on, which the asking process chooses.
    ['NODE_OPTIONS', '--require dotenv/config'],
    ['NODE_OPTIONS', '--max-old-space-size=100 --import=tsx'],
    ['NODE_OPTIONS', '-r ts-node/register'],
    ['npm_config_node_options', '--require hook'],
    ['RUBYOPT', '-rbundler/setup'],
    ['RUBYOPT', '-r./hook'],
    ['PERL5OPT', '-Ilib -MOwn'],
    ['JAVA_TOOL_OPTIONS', '-Xmx1g -javaagent:agent.jar'],
    ['JDK_JAVA_OPTIONS', '@options'],
    ['BASH_ENV', 'env.sh'],
    ['ENV', '.shrc'],
    ['GIT_CONFIG_GLOBAL', 'gitconfig'],
    ['OPENSSL_CONF', 'openssl.cnf'],
    ['KUBECONFIG', '/home/me/.kube/config:kubeconfig'],
    ['MAKEFILES', 'own.mk'],
    ['MAKEFILES', '/project/own.mk'],
    ['RIPGREP_CONFIG_PATH', '/project/.ripgreprc'],
    ['YARN_RC_FILENAME', './.yarnrc'],
    ['VIMINIT', 'source /project/.vimrc'],
  ])('leaves out of the session what leads to the workspace: %s=%s', (name, value) => {
    expect(outside({}, [], { [name]: value })).toEqual(session);
  });

  it.each([
    ['PYTHONPATH', '/opt/lib:/usr/lib/own'],
    ['NODE_OPTIONS', '--max-old-space-size=100'],
    ['SSH_AUTH_SOCK', '/project/agent'],
    ['EDITOR', 'vim'],
    ['NODE_ENV', 'production'],
    ['NODE_OPTIONS', '--require /usr/lib/hook.js --stack-trace-limit 50 --unhandled-rejections=strict'],
    ['JAVA_TOOL_OPTIONS', '-Dfile.encoding=UTF-8 -Xmx512m'],
    ['BASH_ENV', ''],
    ['KUBECONFIG', '/home/me/.kube/config'],
    ['GOPROXY', 'https://proxy.example/project'],
    ['A_NAME_OF_NOBODY', '/project'],
  ])('keeps the others: %s=%s', (name, value) => {
    expect(outside({}, [], { [name]: value })).toEqual({ ...session, [name]: value });
  });

  it('takes a listed name and a listed beginning, and nothing else', () => {
    expect(outside({ CI: '1', MYTOOL_A: 'a', MYTOOLS: 'no' }, ['CI', 'MYTOOL_*'])).toEqual({
      ...session,
      CI: '1',
      MYTOOL_A: 'a',
    });
  });

  it.each([
    'PATH',
    'home',
    'LD_PRELOAD',
    'GIT_SSH',
    'L*',
    'LD*',
    'G*',
    'GIT_DIR*',
    'PYTHON*',
    'A=B',
    '*',
    '',
    'A B',
    '1A',
  ])('refuses to list %j', (name) => {
    expect(() => admittedNames([name])).toThrow(expect.objectContaining({ code: 'ESCALATE_ENV_REFUSED' }));
  });

  it('does not take a locale, terminal or time zone that is the path of a file', () => {
    expect(
      outside({
        LANG: '/project/x',
        LC_ALL: '../x',
        TERM: '../../project/t',
        TZ: ':/project/zone',
        FORCE_COLOR: '1',
      }),
    ).toEqual({ ...session, FORCE_COLOR: '1' });
    expect(outside({ TZ: '/project/zone' })).toEqual(session);
    expect(outside({ TZ: 'Europe/../../../project/zone' })).toEqual(session);
  });

  it.each([
    // Bash executes what stands in the brackets when it computes with a variable.
    ['COLUMNS', 'a[$(touch /x)]'],
    ['LINES', 'LC_ALL'],
    ['FORCE_COLOR', 'a[$(touch /x)]'],
    ['LC_OWN', 'a[`touch /x`]'],
    ['TERM', 'x;touch /x'],
    ['LANG', '-option'],
    ['TZ', "UTC' x"],
    ['NO_COLOR', 'a b'],
    ['LC_lower', 'C'],
  ])('does not take what is no name, number or zone: %s=%s', (name, value) => {
    expect(outside({ [name]: value })).toEqual(session);
    // What the operator lists is his word.
    expect(outside({ CI: value }, ['CI'])).toEqual({ ...session, CI: value });
  });

  it.each([
    ['TZ', 'CET-1CEST,M3.5.0/2,M10.5.0/3'],
    ['TZ', '<+0330>-3:30'],
    ['TERM', 'xterm-256color'],
    ['LC_ALL', 'sr_RS.UTF-8@latin'],
    ['COLUMNS', '132'],
    ['NO_COLOR', ''],
    ['FORCE_COLOR', 'true'],
  ])('takes %s=%s', (name, value) => {
    expect(outside({ [name]: value })).toEqual({ ...session, [name]: value });
  });

  it('searches no folder that the sandbox can write, or that depends on where it runs', () => {
    const PATH = '/project/node_modules/.bin:relative::.:/usr/bin';
    expect(sessionOutside({ PATH }, (folder) => folder.startsWith('/project'))).toEqual({ PATH: '/usr/bin' });
  });
});
