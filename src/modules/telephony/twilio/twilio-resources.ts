import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js';
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js';
import type { CarrierCall } from '../carrier-calls.js';
import type { CarrierMessage } from '../carrier-messages.js';
import { toAnsweredBy, toCallStatus, toMessageStatus } from './twilio-forms.js';

export function toCarrierCall(call: CallInstance): CarrierCall {
  return {
    sid: call.sid,
    from: call.from,
    to: call.to,
    status: toCallStatus(call.status) ?? 'queued',
    answeredBy: toAnsweredBy(call.answeredBy),
    durationSeconds: call.duration ? Number(call.duration) : null,
    // The carrier's charges are negative amounts.
    price: call.price ? call.price.replace(/^-/, '') : null,
    createdAt: call.dateCreated,
  };
}

export function toCarrierMessage(message: MessageInstance): CarrierMessage {
  return {
    sid: message.sid,
    from: message.from,
    to: message.to,
    body: message.body,
    status: toMessageStatus(message.status) ?? 'queued',
    createdAt: message.dateCreated,
  };
}

interface Page<T> {
  instances: T[];
  nextPage(): Promise<Page<T>> | undefined;
}

/** Reads a list, newest first, until it is older than `since`. The carrier's times are whole seconds. */
export async function listResourcesSince<T extends { dateCreated: Date }>(
  first: Page<T>,
  since: Date,
): Promise<T[]> {
  const from = Math.floor(since.getTime() / 1000) * 1000;
  const found: T[] = [];
  for (let page: Page<T> | undefined = first; page; page = await page.nextPage()) {
    const recent = page.instances.filter((item) => item.dateCreated.getTime() >= from);
    found.push(...recent);
    if (recent.length < page.instances.length) break;
  }
  return found;
}
