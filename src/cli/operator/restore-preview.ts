import { DataSource, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { DomainEventRecord } from '#src/events/domain-event.entity.js';
import { Call } from '#src/modules/calls/entities/call.entity.js';
import { Campaign } from '#src/modules/campaigns/entities/campaign.entity.js';
import { Chat } from '#src/modules/chats/entities/chat.entities.js';
import { KnowledgeDocument } from '#src/modules/knowledge/entities/knowledge.entities.js';
import { Lead } from '#src/modules/leads/entities/lead.entity.js';
import { QUEUED_STATUSES } from '#src/modules/leads/lead.types.js';
import { PersonalDataJob } from '#src/modules/personal-data/entities/personal-data-job.entity.js';
import { PhoneNumber } from '#src/modules/phone-numbers/entities/phone-number.entity.js';
import { Recording } from '#src/modules/recordings/entities/recording.entities.js';
import { SmsMessage } from '#src/modules/sms/entities/sms.entities.js';
import { WebhookDelivery } from '#src/modules/webhooks/entities/webhook.entities.js';

/** What goes on when the gate opens, as counts of rows. */
export interface RestorePreview {
  campaigns: { id: number; name: string; accountId: number; dueLeads: number }[];
  /** Calls that were running. */
  runningCalls: number;
  /** Calls that had ended and were not charged. */
  openCharges: number;
  /** The carrier had not confirmed them; they are looked up in its list and never sent again. */
  unconfirmedSms: number;
  dueWebhooks: number;
  /** Events that listeners have not had, e.g. ends of calls that become webhooks. */
  events: number;
  /** Numbers of accounts to renew, buy or release. */
  dueNumbers: number;
  /** Text conversations with a message that waits for its answer. */
  waitingChats: number;
  /** Text conversations that end, with their evaluation. */
  endingChats: number;
  /** Recordings to copy, or to delete at the carrier. */
  dueRecordings: number;
  /** Documents of knowledge bases to read. */
  dueDocuments: number;
  /** Erasures and exports of persons. */
  personalDataJobs: number;
}

export async function previewRestore(db: DataSource): Promise<RestorePreview> {
  const now = new Date();
  const due = { dueAt: LessThanOrEqual(now) };
  const campaigns = await db.getRepository(Campaign).find({
    select: { id: true, name: true, accountId: true },
    where: { status: 'in-progress' },
    order: { id: 'ASC' },
  });
  const leads = db.getRepository(Lead);
  const counted: RestorePreview['campaigns'] = [];
  for (const { id, name, accountId } of campaigns) {
    const dueLeads = await leads.countBy({
      campaignId: id,
      mainLeadId: IsNull(),
      status: In([...QUEUED_STATUSES]),
      dueAt: LessThanOrEqual(now),
    });
    counted.push({ id, name, accountId, dueLeads });
  }
  return {
    campaigns: counted,
    runningCalls: await db.getRepository(Call).countBy({ endedAt: IsNull() }),
    openCharges: await db.getRepository(Call).countBy({ wrapUpState: 'pending' }),
    unconfirmedSms: await db.getRepository(SmsMessage).countBy({ status: 'pending' }),
    dueWebhooks: await db
      .getRepository(WebhookDelivery)
      .countBy({ state: 'pending', dueAt: LessThanOrEqual(now) }),
    events: await db.getRepository(DomainEventRecord).countBy({ state: 'pending' }),
    dueNumbers: await db.getRepository(PhoneNumber).countBy(due),
    waitingChats: await db.getRepository(Chat).countBy({ turnDueAt: LessThanOrEqual(now) }),
    endingChats: await db.getRepository(Chat).countBy({ endDueAt: LessThanOrEqual(now) }),
    dueRecordings: await db.getRepository(Recording).countBy({ ...due, state: Not('kept') }),
    dueDocuments: await db.getRepository(KnowledgeDocument).countBy(due),
    personalDataJobs: await db.getRepository(PersonalDataJob).countBy({ dueAt: Not(IsNull()) }),
  };
}
