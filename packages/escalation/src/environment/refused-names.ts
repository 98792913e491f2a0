// Variables that make a program load code, choose another program, or read its settings from elsewhere. They can never be
// listed for what runs outside: a sandboxed process that sets them would run there what it likes. The list cannot be
// complete, which is why what is admitted is a list of its own and this one only guards against mistakes in it.

const EXACT: ReadonlySet<string> = new Set(
  `PATH HOME ENV BASH_ENV SHELL SHELLOPTS BASHOPTS CDPATH IFS PS4 PROMPT_COMMAND TMPDIR XDG_CONFIG_HOME XDG_CONFIG_DIRS
   XDG_DATA_HOME XDG_DATA_DIRS XDG_RUNTIME_DIR EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE LESS SUDO_ASKPASS
   SSH_ASKPASS SSH_AUTH_SOCK GLOBIGNORE NODE_PATH CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
   GCONV_PATH LOCPATH NLSPATH TERMINFO TERMINFO_DIRS TERMCAP HOSTALIASES RES_OPTIONS MALLOC_TRACE GETCONF_DIR
   RUSTC_WRAPPER CC CXX LD AR AS OPENSSL_CONF OPENSSL_MODULES SSLKEYLOGFILE TCLLIBPATH ZDOTDIR FPATH
   KUBECONFIG DOCKER_HOST DOCKER_CONFIG VIMINIT EXINIT MYVIMRC INPUTRC GNUPGHOME CURL_HOME WGETRC NETRC
   PSQLRC PGSERVICEFILE PGSYSCONFDIR MYSQL_HOME KRB5_CONFIG SASL_PATH EMACSLOADPATH GUILE_LOAD_PATH TF_CLI_CONFIG_FILE
   R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS R_LIBS_USER`.split(/\s+/),
);

const PREFIXES = [
  'LD_',
  'DYLD_',
  'GLIBC_',
  'NODE_',
  'NPM_',
  'PYTHON',
  'PERL',
  'RUBY',
  'GEM_',
  'BUNDLE_',
  'LUA_',
  'PHP',
  'GIT_',
  'GH_',
  'HGRC',
  'SSH_',
  'CARGO_',
  'RUST',
  'GOPATH',
  'GOROOT',
  'GOENV',
  'GOFLAGS',
  'GOPROXY',
  'JAVA_',
  'MAKE',
  'CMAKE_',
  'PKG_CONFIG',
  'RIPGREP_',
  'YARN_',
  'PNPM_',
  'BUN_',
  'DENO_',
  'COREPACK_',
  'HELM_',
  'ANSIBLE_',
  'ERL_',
  'ELIXIR_',
  'JULIA_',
  'OCAML',
  'GTK_',
  'QT_',
  'GIO_',
  'GST_',
  'MAVEN_',
  'GRADLE_',
  'XDG_',
  'CODEX_',
  'BASH_',
  'EXEC_SERVER_',
  'AWS_',
  'KUBE',
  'DOCKER_',
  'PIP_',
  'UV_',
  'VIRTUAL_ENV',
  'CONDA_',
] as const;

/** Names are compared without regard to case: some programs do (`http_proxy`, `npm_config_…`). */
export function isRefusedName(name: string): boolean {
  const upper = name.toUpperCase();
  return EXACT.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/** The refused name that something of this prefix could be, if there is one. */
export function refusedNameUnder(prefix: string): string | undefined {
  const upper = prefix.toUpperCase();
  const refusedPrefix = PREFIXES.find((other) => other.startsWith(upper) || upper.startsWith(other));
  return refusedPrefix ?? [...EXACT].find((name) => name.startsWith(upper));
}
