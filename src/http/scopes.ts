/** Permissions of a token. `admin` includes all others. */
export const SCOPES = ['read', 'calls', 'messages', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** What each one opens, for the documentation. */
export const SCOPE_MEANINGS: Record<Scope, string> = {
  read: 'every GET that needs no `admin`',
  calls: 'placing, ending and deleting calls, web calls, starting and stopping campaigns',
  messages: 'SMS and conversations',
  write: 'every other POST, PUT and DELETE',
  admin:
    'API keys, spend limits, the webhook secret, the audit log, the retention, erasures and exports of personal data, buying and releasing phone numbers; includes all others',
};

export const isScope = (value: string): value is Scope => (SCOPES as readonly string[]).includes(value);

export const grantsScope = (granted: readonly Scope[], needed: Scope): boolean =>
  granted.includes(needed) || granted.includes('admin');

/** In the `config` of a Fastify route. */
export interface ScopeRouteConfig {
  scope?: Scope | 'by-method';
}

/** A route that declares nothing is open to nobody but `admin`. */
export function requiredScope(method: string, { scope = 'admin' }: ScopeRouteConfig): Scope {
  if (scope !== 'by-method') return scope;
  return ['GET', 'HEAD'].includes(method.toUpperCase()) ? 'read' : 'write';
}
