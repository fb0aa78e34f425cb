export const spendLimit = {
  label: 'May spend in an hour',
  none: 'No limit',
  /** `$2.40 of $5.00`. */
  spent: (spent: string, limit: string): string => `${spent} of ${limit}`,
  ofKey: 'By calls, messages and campaigns that it starts. Empty: no limit.',
  ofAccount:
    'At the limit no call is placed and no message is sent until the next full hour (UTC). Running calls go on. Empty: no limit.',
  tile: 'Spent this hour',
  tileNote: 'with what running calls hold',
  tileLimit: (limit: string): string => `of ${limit} that may be spent`,
  edit: 'Limit',
  title: 'Limit what is spent in an hour',
  done: 'The limit is changed',
};
