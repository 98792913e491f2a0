// Chooses the proxy of a request by the usual variables of the server's environment.
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { sendFailed } from './http-error.js';
import { bypassesProxy } from './no-proxy.js';

export function proxyFor(url: URL, env: ServerEnvironment): URL | undefined {
  const setting = proxySetting(url, env);
  if (setting === undefined || bypassesProxy(url.hostname, either('no_proxy', env) ?? '')) return undefined;
  const text = setting.includes('://') ? setting : `http://${setting}`;
  // A proxy that cannot be used is an error: going around it would send the request where it must not go.
  if (!URL.canParse(text)) throw sendFailed('the proxy setting of this server is not a URL');
  const proxy = new URL(text);
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw sendFailed(`proxies of the kind ${proxy.protocol.slice(0, -1)} are not supported`);
  }
  return proxy;
}

function proxySetting(url: URL, env: ServerEnvironment): string | undefined {
  const own = url.protocol === 'https:' ? either('https_proxy', env) : httpProxy(env);
  return own ?? either('all_proxy', env);
}

/** In a CGI program HTTP_PROXY is the request header `Proxy`, so a stranger would choose the proxy. */
function httpProxy(env: ServerEnvironment): string | undefined {
  return env['REQUEST_METHOD'] === undefined ? either('http_proxy', env) : filled(env['http_proxy']);
}

function either(name: string, env: ServerEnvironment): string | undefined {
  return filled(env[name]) ?? filled(env[name.toUpperCase()]);
}

function filled(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}
