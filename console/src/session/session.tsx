import { createContext, use, useMemo, type ReactNode } from 'react';
import type { paths } from '#console/api/schema';
import { moneyFormat } from '#console/formats/numbers';
import { browserZone, timeFormats } from '#console/formats/time';

export type Facts = paths['/user/console']['get']['responses'][200]['content']['application/json']['data'];
export type Scope = 'read' | 'calls' | 'messages' | 'write' | 'admin';

export interface Session {
  facts: Facts;
  /** Whether the key has the scope: what it does not open is hidden, or says why. */
  can: (scope: Scope) => boolean;
  money: ReturnType<typeof moneyFormat>;
  /** In the account's zone. */
  times: ReturnType<typeof timeFormats>;
}

const Context = createContext<Session | null>(null);

export function SessionProvider({ facts, children }: { facts: Facts; children: ReactNode }) {
  const session = useMemo(
    () => ({
      facts,
      can: (scope: Scope) => facts.scopes.includes(scope) || facts.scopes.includes('admin'),
      money: moneyFormat(facts.currency),
      times: timeFormats(facts.time_zone ?? browserZone()),
    }),
    [facts],
  );
  return <Context value={session}>{children}</Context>;
}

/** Of the key that is signed in. */
export function useSession(): Session {
  const session = use(Context);
  if (!session) throw new Error('There is no session outside of SessionProvider.');
  return session;
}
