import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { DueRows } from '#src/common/fairness/due-rows.js';
import { type JobRow, JobProcessor, type RowProcessor } from '#src/queue/job-queue.js';
import { SmsMessage } from './entities/sms-message.entity.js';
import { SmsChargesService } from './sms-charges.service.js';
import { SmsReconciliationService } from './sms-reconciliation.service.js';

const AGAIN_SECONDS = 10;
/** More than twice the carrier's response limit: a message that is not listed by then was never accepted. */
const GIVE_UP_AFTER_SECONDS = 30;

/** Settles messages that stayed `pending`: the carrier did not answer, or the process died while it asked. */
@JobProcessor('sms-check')
export class SmsReconciliationProcessor implements RowProcessor {
  private readonly dueRows: DueRows;

  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly reconciliation: SmsReconciliationService,
    private readonly charges: SmsChargesService,
    db: DataSource,
  ) {
    this.dueRows = new DueRows(db, { table: 'sms_messages', due: 'check_at', waiting: `status = 'pending'` });
  }

  due(limit: number): Promise<JobRow[]> {
    return this.dueRows.read(limit);
  }

  async process(rowId: string): Promise<void> {
    const claimed = await this.claim(Number(rowId));
    if (!claimed) return;
    const found = await this.reconciliation.find(claimed.message);
    if (!found && claimed.overdue)
      await this.charges.refundSms(claimed.message.id, 'The provider never confirmed it');
  }

  /** Null: settled, not due, or claimed elsewhere. After a failed attempt the row becomes due again. */
  private async claim(id: number): Promise<{ message: SmsMessage; overdue: boolean } | null> {
    const [[row]]: [{ overdue: boolean }[], number] = await this.messages.query(
      `UPDATE sms_messages SET check_at = now() + make_interval(secs => $2)
        WHERE id = $1 AND status = 'pending' AND check_at <= now()
       RETURNING created_at < now() - make_interval(secs => $3) AS overdue`,
      [id, AGAIN_SECONDS, GIVE_UP_AFTER_SECONDS],
    );
    if (!row) return null;
    return { message: await this.messages.findOneByOrFail({ id }), overdue: row.overdue };
  }
}
