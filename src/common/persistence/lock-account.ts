import type { EntityManager } from 'typeorm';

/** Lets the transactions of one account that count before they write go one by one, until each one's end. */
export async function lockAccount(tx: EntityManager, accountId: number): Promise<void> {
  await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}
