import type { Callee } from '../callees/callee.js';
import type { CarrierContext } from './carrier-context.js';
import { errorCodeOf, type MessageOrder, type MessageRecord } from './message-record.js';

/** Milliseconds of simulated time, see ClockSpeed. */
const SEND_MS = 400;
const DELIVER_MS = 1_600;

/** Processes an accepted message to its final status, with a callback for each step. */
export async function sendMessage(
  carrier: CarrierContext,
  message: MessageRecord,
  order: MessageOrder,
  callee: Callee,
): Promise<void> {
  await carrier.clockSpeed.sleep(SEND_MS, carrier.closing);
  message.sentAt = new Date();
  await step(carrier, message, order, 'sent');
  await carrier.clockSpeed.sleep(DELIVER_MS, carrier.closing);
  await step(carrier, message, order, callee.delivery);
}

async function step(
  carrier: CarrierContext,
  message: MessageRecord,
  order: MessageOrder,
  status: MessageRecord['status'],
): Promise<void> {
  message.status = status;
  message.updatedAt = new Date();
  if (order.statusCallback === null) return;
  const errorCode = errorCodeOf(message);
  await carrier.webhooks.notify({
    event: `message:${status}`,
    url: order.statusCallback,
    subject: message,
    params: {
      AccountSid: carrier.accountSid,
      ApiVersion: '2010-04-01',
      From: message.from,
      MessageSid: message.sid,
      MessageStatus: status,
      SmsSid: message.sid,
      SmsStatus: status,
      To: message.to,
      ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    },
  });
}
