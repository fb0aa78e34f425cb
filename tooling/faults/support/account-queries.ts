import { DataSource } from 'typeorm';
import orm from '../../../ormconfig.js';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { LedgerAuditService } from '#src/modules/accounts/ledger-audit.service.js';
import { CALL_LEDGER_SOURCE } from '#src/modules/calls/wrap-up/call-charges.service.js';
import { PHONE_NUMBER_LEDGER_SOURCE } from '#src/modules/phone-numbers/phone-number-orders.service.js';
import { CHAT_LEDGER_SOURCE } from '#src/modules/chats/chat-charges.service.js';
import { SMS_LEDGER_SOURCE } from '#src/modules/sms/delivery-receipts.service.js';

export interface MessageRow {
  id: number;
  sms_sid: string | null;
  status: string;
  body: string;
  cost: bigint;
  /** Sum of the ledger entries: charges minus refunds. */
  taken: bigint;
  /** Refunded, then charged again because the carrier had the message. */
  recharged: boolean;
}

/** Reads messages and the ledger from the database. */
export class AccountQueries {
  private constructor(private readonly db: DataSource) {}

  static async open(url: string): Promise<AccountQueries> {
    // All of them: entities refer to others by their foreign keys.
    const { entities } = orm.options;
    return new AccountQueries(await new DataSource({ ...dataSourceOptions(url), entities }).initialize());
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

  /** Number of refunds and of charges after a refund. */
  async corrections(accountId: number): Promise<{ refunded: number; recharged: number }> {
    const [row]: { refunded: number; recharged: number }[] = await this.db.query(
      `SELECT count(*) FILTER (WHERE kind = 'sms-refund')::int AS refunded,
              count(*) FILTER (WHERE kind = 'sms-recharge')::int AS recharged
         FROM ledger_entries WHERE account_id = $1`,
      [accountId],
    );
    return row ?? { refunded: 0, recharged: 0 };
  }

  /** Charges of messages minus refunds, by the uuid of their conversation. */
  async takenForChats(): Promise<Map<string, bigint>> {
    const rows: { uuid: string; taken: string }[] = await this.db.query(
      `SELECT uuid, -sum(amount_micros) AS taken FROM ledger_entries
         JOIN chats ON chats.id = split_part(reference, '-', 1)::int
        WHERE kind IN ('chat', 'chat-refund') GROUP BY uuid`,
    );
    return new Map(rows.map(({ uuid, taken }) => [uuid, BigInt(taken)]));
  }

  /** Pending messages. */
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
    audit.registerSource(PHONE_NUMBER_LEDGER_SOURCE);
    audit.registerSource(CHAT_LEDGER_SOURCE);
    const { findings } = await audit.verifyLedger();
    return findings.map(
      ({ accountId, reference, problem }) => `account ${accountId}, ${reference ?? ''}: ${problem}`,
    );
  }

  /** Plants a defect: changes a ledger entry. */
  async falsify(): Promise<void> {
    await this.db.query(
      `UPDATE ledger_entries SET amount_micros = amount_micros - 1 WHERE id = (SELECT max(id) FROM ledger_entries)`,
    );
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }
}
