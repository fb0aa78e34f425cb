/** The unit of fairness: an account's host. Two accounts that use one host do not share its places. */
export const receiverOf = (accountId: number, url: string): string => `${accountId} ${new URL(url).host}`;
