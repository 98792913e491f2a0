// What the CLI finds in its home: the stand-in as the model's provider, and where commands are to run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the CLI learns of the exec-server: by an environment variable, or by an entry of `environments.toml`. */
export type ServerAddress =
  /** None: the CLI works where it runs. */
  | { readonly via: 'local' }
  | { readonly via: 'variable'; readonly url: string }
  /** Through a registry and its relay, as a remote environment. */
  | { readonly via: 'registry'; readonly url: string; readonly environmentId: string; readonly token: string }
  | { readonly via: 'url'; readonly url: string; readonly bearerToken?: string }
  | { readonly via: 'program'; readonly program: string; readonly args: readonly string[] };

/** A model whose bundled description offers `apply_patch` as a tool of its own. */
const MODEL = 'gpt-5.5';

export function writeConfig(home: string, modelUrl: string, more: readonly string[]): void {
  const lines = [
    `model = "${MODEL}"`,
    'model_provider = "scripted"',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = ${JSON.stringify(modelUrl)}`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_MODEL_KEY"',
    // A request that fails is a finding, not something to try again.
    'request_max_retries = 0',
    'stream_max_retries = 0',
    ...more,
  ];
  writeFileSync(join(home, 'config.toml'), `${lines.join('\n')}\n`);
}

/** Returns the variables that the CLI needs beside the files in its home. */
export function writeServerAddress(home: string, address: ServerAddress): Record<string, string> {
  if (address.via === 'local') return {};
  if (address.via === 'variable') return { CODEX_EXEC_SERVER_URL: address.url };
  if (address.via === 'registry') {
    return {
      CODEX_EXEC_SERVER_NOISE_REGISTRY_URL: address.url,
      CODEX_EXEC_SERVER_NOISE_ENVIRONMENT_ID: address.environmentId,
      CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN: address.token,
    };
  }
  const entry =
    address.via === 'url'
      ? { url: address.url, ...(address.bearerToken && { auth_bearer_token: address.bearerToken }) }
      : { program: address.program, args: address.args };
  const lines = [
    'default = "box"',
    'include_local = false',
    '[[environments]]',
    'id = "box"',
    ...Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ];
  writeFileSync(join(home, 'environments.toml'), `${lines.join('\n')}\n`);
  return {};
}
