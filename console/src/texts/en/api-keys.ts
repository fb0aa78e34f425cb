export const apiKeys = {
  title: 'API keys',
  text: 'Keys open the API and this console, as far as their scopes go. Each program gets its own, so that one can be revoked alone.',
  create: 'Create a key',
  empty: {
    title: 'No keys',
    text: 'Create one for each program that uses the API.',
  },
  columns: {
    name: 'Name',
    scopes: 'May',
    addresses: 'From',
    spent: 'Spent this hour',
    used: 'Last used',
    expires: 'Expires',
    created: 'Created',
  },
  neverUsed: 'never',
  unused: 'unused',
  unusedKeys: (n: number): string =>
    n === 1
      ? '1 key was not used for 90 days: revoke it when nothing needs it.'
      : `${n} keys were not used for 90 days: revoke those that nothing needs.`,
  log: 'What it did, in the audit log',
  /** `203.0.113.0/24 and 2 more`. */
  addresses: ([first, ...rest]: string[]): string =>
    first === undefined ? 'anywhere' : rest.length === 0 ? first : `${first} and ${rest.length} more`,
  edit: {
    action: 'Edit',
    of: (name: string): string => `Edit ${name}`,
    title: (name: string): string => `Edit “${name}”`,
    done: 'The key is changed',
  },
  neverExpires: 'never',
  expired: 'expired',
  /** As docs and the API say it. */
  scopes: {
    read: 'see everything but keys and the webhook secret',
    calls: 'place, end and delete calls, start and stop campaigns',
    messages: 'send SMS and take part in conversations',
    write: 'create, change and delete everything else',
    admin:
      'keys, spend limits, the webhook secret, the audit log, the retention, erasures and exports of personal data, buying and releasing numbers; and all of the above',
  } as Record<string, string>,
  form: {
    name: 'Name',
    nameHelp: 'Which program uses it.',
    scopes: 'What it may do',
    expires: 'Expires at the end of',
    expiresHelp: (zone: string): string => `A day of ${zone}. Empty: never.`,
    never: 'Never',
    addresses: 'May be used from',
    addressesHelp: 'IP addresses and ranges such as 203.0.113.0/24, up to 20. Empty: from anywhere.',
    presets: { month: 'In 30 days', quarter: 'In 90 days', year: 'In a year' },
  },
  created: (name: string): string => `The key “${name}” is created`,
  once: 'Copy the key now and keep it where passwords are kept: it is not shown again.',
  token: 'Key',
  copy: 'Copy the key',
  done: 'I have it: to the list',
  revoke: 'Revoke',
  revokeOf: (name: string): string => `Revoke ${name}`,
  question: (name: string) => ({
    title: `Revoke “${name}”?`,
    text: 'What uses this key is refused from its next request on. If you are signed in with it, you need another one. This cannot be undone.',
    confirm: 'Revoke',
  }),
  revoked: (name: string): string => `“${name}” is revoked`,
  revokeFailed: 'The key was not revoked',
};
