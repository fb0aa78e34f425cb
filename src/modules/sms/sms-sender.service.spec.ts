import { describe, expect, it } from '@jest/globals';
import { type Repository, UpdateResult } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { CarrierMessage, CarrierMessages } from '../telephony/carrier-messages.js';
import { SmsMessage } from './entities/sms.entities.js';
import type { DeliveryReceiptsService } from './delivery-receipts.service.js';
import type { SmsReconciliationService } from './sms-reconciliation.service.js';
import { SmsSenderService } from './sms-sender.service.js';
import { SmsNotSent } from './sms.errors.js';

const refused = new CarrierError('rejected', 'rejected', { code: 21614, detail: 'not a mobile' });
const failed = new CarrierError('failed', 'unknown', { code: 20500, detail: 'internal error' });
const silent = new CarrierError('no answer', 'unknown');

interface Situation {
  carrier: () => Promise<Partial<CarrierMessage>>;
  /** The message in the carrier's list. */
  list?: () => Promise<SmsMessage | null>;
  accepted?: () => Promise<SmsMessage>;
  /** Fields that have changed when the message is read again. */
  stored?: Partial<SmsMessage>;
}

function theSender({ carrier, list, accepted, stored }: Situation) {
  const message = Object.assign(new SmsMessage(), { id: 1, status: 'pending', smsSid: null });
  const later = Object.assign(new SmsMessage(), message, stored);
  const done = { refunds: [] as string[], woken: [] as unknown[] };
  const pending = () => later.status === 'pending';
  const sent = Object.assign(new SmsMessage(), message, { status: 'sent', smsSid: 'SM1' });
  const sender = new SmsSenderService(
    partialFake<Repository<SmsMessage>>({
      update: async () => new UpdateResult(),
      findOneByOrFail: async () => later,
    }),
    partialFake<CarrierMessages>({ sendSms: async () => (await carrier()) as CarrierMessage }),
    partialFake<DeliveryReceiptsService>({
      applyResponse: accepted ?? (async () => sent),
      refundSms: async (_: number, reason: string) => pending() && done.refunds.push(reason) > 0,
    }),
    partialFake<SmsReconciliationService>({ findListedMessage: list ?? (async () => null) }),
    partialFake<JobQueue>({ enqueue: (...args: unknown[]) => void done.woken.push(args) }),
  );
  return { send: () => sender.sendMessage(message), done, sent };
}

const fails = (reason: Error) => async (): Promise<never> => {
  throw reason;
};

describe('SmsSenderService', () => {
  it('is done when the carrier accepts', async () => {
    const { send, done } = theSender({ carrier: async () => ({ sid: 'SM1', status: 'queued' }) });
    expect(await send()).toMatchObject({ status: 'sent', smsSid: 'SM1' });
    expect(done).toEqual({ refunds: [], woken: [] });
  });

  it('refunds the cost when the carrier refuses', async () => {
    const { send, done } = theSender({ carrier: fails(refused) });
    await expect(send()).rejects.toEqual(new SmsNotSent('not a mobile'));
    expect(done).toEqual({ refunds: ['not a mobile'], woken: [] });
  });

  it('searches the list of the carrier after a 5xx', async () => {
    const { send, done } = theSender({ carrier: fails(failed) });
    await expect(send()).rejects.toEqual(new SmsNotSent('internal error'));
    expect(done.refunds).toEqual(['internal error']);
  });

  it('keeps a message that is in the list of the failing carrier', async () => {
    const sender = theSender({ carrier: fails(failed), list: async () => sender.sent });
    expect(await sender.send()).toBe(sender.sent);
    expect(sender.done.refunds).toEqual([]);
  });

  it('does not refund a message that a report has confirmed meanwhile', async () => {
    const { send, done } = theSender({
      carrier: fails(failed),
      stored: { status: 'delivered', smsSid: 'SM1' },
    });
    expect(await send()).toMatchObject({ status: 'delivered' });
    expect(done.refunds).toEqual([]);
  });

  it.each<[string, Situation]>([
    ['the carrier does not answer', { carrier: fails(silent) }],
    ['the list cannot be read', { carrier: fails(failed), list: fails(silent) }],
    [
      'the acceptance cannot be written',
      { carrier: async () => ({}), accepted: fails(new Error('database')) },
    ],
  ])('leaves the message pending when %s', async (_, world) => {
    const { send, done } = theSender(world);
    expect(await send()).toMatchObject({ status: 'pending' });
    expect(done).toEqual({ refunds: [], woken: [['sms-check', expect.objectContaining({ id: 1 }), 2000]] });
  });

  it('returns the status of a report that arrives before the response', async () => {
    const { send } = theSender({ carrier: fails(silent), stored: { status: 'delivered', smsSid: 'SM1' } });
    expect(await send()).toMatchObject({ status: 'delivered' });
  });
});
