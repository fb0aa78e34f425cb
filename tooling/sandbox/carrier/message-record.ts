import { first, optionalUrl, requiredField, requiredNumber, type Form } from './form.js';
import { messagePrice } from './prices.js';
import { RestError } from './rest-error.js';
import { rfc2822, rfc2822OrNull } from './rest-dates.js';
import { newSid } from './sids.js';

const MAX_BODY = 1600;
const UNDELIVERED_CODE = 30003;
/** Characters of the default alphabet of text messages; any other character makes the message UCS-2. */
const DEFAULT_ALPHABET = /^[\n\r -_a-z{|}~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùü^€]*$/;

export interface MessageOrder {
  to: string;
  from: string;
  body: string;
  statusCallback: string | null;
}

export interface MessageRecord {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  body: string;
  /** Of the body that was sent. */
  readonly segments: number;
  readonly createdAt: Date;
  status: 'queued' | 'sent' | 'delivered' | 'undelivered';
  updatedAt: Date;
  sentAt: Date | null;
}

export function messageOrder(form: Form): MessageOrder {
  const order = {
    to: requiredNumber(form, 'To', { missing: 21604, invalid: 21211 }),
    from: requiredNumber(form, 'From', { missing: 21603, invalid: 21212 }),
    // Not `requiredField`: leading and trailing blanks belong to the message.
    body: requiredField(form, 'Body', 21602) && (first(form, 'Body') ?? ''),
    statusCallback: optionalUrl(form, 'StatusCallback'),
  };
  if (order.body.length > MAX_BODY) throw new RestError(21617);
  return order;
}

export function newMessage({ from, to, body }: MessageOrder): MessageRecord {
  const now = new Date();
  return {
    sid: newSid('SM'),
    from,
    to,
    body,
    segments: segmentsOf(body),
    createdAt: now,
    status: 'queued',
    updatedAt: now,
    sentAt: null,
  };
}

/** The carrier lets the body of a message be emptied, not changed. */
export function emptyBody(message: MessageRecord, form: Form): void {
  if (first(form, 'Body') !== '') throw new RestError(21602);
  message.body = '';
  message.updatedAt = new Date();
}

export function errorCodeOf(message: MessageRecord): number | null {
  return message.status === 'undelivered' ? UNDELIVERED_CODE : null;
}

export function messageJson(accountSid: string, message: MessageRecord) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  const { segments } = message;
  const errorCode = errorCodeOf(message);
  return {
    sid: message.sid,
    account_sid: accountSid,
    messaging_service_sid: null,
    api_version: '2010-04-01',
    body: message.body,
    from: message.from,
    to: message.to,
    direction: 'outbound-api',
    status: message.status,
    num_segments: String(segments),
    num_media: '0',
    date_created: rfc2822(message.createdAt),
    date_updated: rfc2822(message.updatedAt),
    date_sent: rfc2822OrNull(message.sentAt),
    price: message.sentAt === null ? null : messagePrice(segments),
    price_unit: 'USD',
    error_code: errorCode,
    error_message: errorCode === null ? null : 'Unreachable destination handset',
    uri: `${uri}.json`,
    subresource_uris: { media: `${uri}/Media.json` },
  };
}

/** An approximation of the carrier's count, sufficient for the sandbox's prices. */
function segmentsOf(body: string): number {
  const [single, several] = DEFAULT_ALPHABET.test(body) ? [160, 153] : [70, 67];
  return body.length <= single ? 1 : Math.ceil(body.length / several);
}
