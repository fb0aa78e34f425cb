import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { LedgerAuditService } from '#src/modules/accounts/ledger-audit.service.js';
import { CALL_LEDGER_SOURCE } from '#src/modules/calls/wrap-up/call-charges.service.js';
import { SMS_LEDGER_SOURCE } from '#src/modules/sms/sms-charges.service.js';

export interface MessageRow {
  id: number;
  sms_sid: string | null;
  status: string;
  body: string;
  cost: bigint;
  /** By the ledger: what was taken and not given back. */
  taken: bigint;
  /** It was given back and, once the carrier proved to have the message, taken again. */
  recharged: boolean;
}

/** Looks behind the API: what the database says about messages and money. */
export class AccountBook {
  private constructor(private readonly db: DataSource) {}

  static async open(url: string): Promise<AccountBook> {
    return new AccountBook(await new DataSource(dataSourceOptions(url)).initialize());
  }

  async messagesOf(accountId: number): Promise<MessageRow[]> {
    const rows: (Omit<MessageRow, 'cost' | 'taken'> & { cost: string; taken: string })[] =
      await this.db.query(
        `SELECT id, sms_sid, status, body, total_cost_micros AS cost,
              EXISTS (SELECT FROM ledger_entries
                WHERE reference = sms.id::text AND kind = 'sms-recharge') AS recharged,
              (SELECT coalesce(-sum(amount_micros), 0) FROM ledger_entries
                WHERE reference = sms.id::text AND kind IN ('sms', 'sms-refund', 'sms-recharge')) AS taken
         FROM sms_messages sms WHERE account_id = $1`,
        [accountId],
      );
    return rows.map((row) => ({ ...row, cost: BigInt(row.cost), taken: BigInt(row.taken) }));
  }

  async balanceOf(accountId: number): Promise<bigint> {
    const [row]: { balance_micros: string }[] = await this.db.query(
      'SELECT balance_micros FROM accounts WHERE id = $1',
      [accountId],
    );
    return BigInt(row?.balance_micros ?? 0);
  }

  /** How often the ledger gave back and took again. */
  async corrections(accountId: number): Promise<{ refunded: number; recharged: number }> {
    const [row]: { refunded: number; recharged: number }[] = await this.db.query(
      `SELECT count(*) FILTER (WHERE kind = 'sms-refund')::int AS refunded,
              count(*) FILTER (WHERE kind = 'sms-recharge')::int AS recharged
         FROM ledger_entries WHERE account_id = $1`,
      [accountId],
    );
    return row ?? { refunded: 0, recharged: 0 };
  }

  /** Messages whose fate is not known. */
  async underWay(): Promise<string[]> {
    const rows: { line: string }[] = await this.db.query(
      `SELECT concat_ws(' ', 'message', id, 'checked', check_at) AS line FROM sms_messages WHERE status = 'pending'`,
    );
    return rows.map(({ line }) => line);
  }

  async audit(): Promise<string[]> {
    const audit = new LedgerAuditService(this.db);
    audit.registerSource(SMS_LEDGER_SOURCE);
    audit.registerSource(CALL_LEDGER_SOURCE);
    const { findings } = await audit.verifyLedger();
    return findings.map(
      ({ accountId, reference, problem }) => `account ${accountId}, ${reference ?? ''}: ${problem}`,
    );
  }

  /** What an audit must notice. */
  async falsify(): Promise<void> {
    await this.db.query(
      `UPDATE ledger_entries SET amount_micros = amount_micros - 1 WHERE id = (SELECT max(id) FROM ledger_entries)`,
    );
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }
}
