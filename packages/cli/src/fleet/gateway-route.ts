// What the path of a client's address asks for. Only the environments that the gateway was given exist.

export interface GatewayRoute {
  readonly environment: string;
  readonly machine?: string;
}

const PATH = /^\/e\/([A-Za-z0-9_-]{1,64})(?:\/m\/([A-Za-z0-9_-]{1,64}))?\/?$/;

/** Undefined for a path that leads nowhere. */
export function routeOf(path: string, environments: readonly string[]): GatewayRoute | undefined {
  const [first] = environments;
  if (path === '/') return first === undefined ? undefined : { environment: first };
  const [, environment, machine] = PATH.exec(path) ?? [];
  if (environment === undefined || !environments.includes(environment)) return undefined;
  return machine === undefined ? { environment } : { environment, machine };
}
