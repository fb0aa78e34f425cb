/** A row and whose it is: what background work is shared out by. */
export interface AccountRow {
  id: string | number;
  accountId: number;
}
