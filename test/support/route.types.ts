import type { TestAccount } from '../factories/account.js';

/** One of everything that an account can have. */
export interface AccountResources {
  account: TestAccount;
  ids: Record<(typeof BASIC_RESOURCES)[number], number> & Record<Resource, number | undefined>;
  /** Of what is named by a uuid. */
  uuids: { assistant: string; conversation: string };
}

/** In the order in which they are created. */
export const BASIC_RESOURCES = [
  'tool',
  'assistant',
  'campaign',
  'lead',
  'call',
  'sms',
  'delivery',
  'phone number',
] as const;

/** One of these, or what a file in `test/resources` adds. */
export type Resource = string;

export interface Route {
  /** What the path's `id` names; null for a path without one. */
  resource: Resource | null;
  /** It needs no token. */
  isPublic?: true;
  /** The page that asks, where only some may. */
  origin?: string;
  /** What the path's other parameters name, e.g. `{leadId: 'lead'}`. */
  parents?: Record<string, Resource>;
  /** The 404 of the path's `id`. */
  missing?: string;
  /** The 404 has its text under `error` too. */
  repeatsError?: true;
  /** A valid body. */
  body?: (resources: AccountResources) => Record<string, unknown>;
  /** 422 of a wrong field. */
  invalid?: 'Validation failed' | 'The given data was invalid.';
  /** Fields of the body that name a resource of the user. */
  references?: Record<string, Resource>;
}

/** The routes of a module, in a file of its own in `test/resources`. */
export interface ResourceTest {
  resource: Resource;
  /** Where one is created. */
  path: (resources: AccountResources) => string;
  /** The route whose body creates one. */
  create: string;
  routes: Record<string, Route>;
}
