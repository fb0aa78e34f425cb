import type { MessageRow } from '../support/account-queries.js';
import type { SmsResponse } from '../support/sms-client.js';
import type { SentMessage } from '../support/cluster.js';

/** Body of messages that several requests send; every other body belongs to one request. */
export const EQUAL = 'equal';

export interface SmsObservations {
  /** Messages that the carrier accepted. */
  sent: Pick<SentMessage, 'sid' | 'body'>[];
  records: MessageRow[];
  answers: SmsResponse[];
  /** Number of requests. */
  asked: number;
  /** Minimum of sent messages: a run in which all requests fail must not pass. */
  atLeastSent: number;
  /** Findings of the ledger audit. */
  audit: string[];
}

/** Compares the carrier's list, the records, the ledger and the clients' responses. */
export function verifySms({ sent, records, answers, asked, atLeastSent, audit }: SmsObservations): string[] {
  const charged = records.filter(({ taken }) => taken !== 0n);
  const chargedSids = new Set(charged.map(({ sms_sid }) => sms_sid));
  return [
    ...(sent.length < atLeastSent ? [`only ${sent.length} were sent, at least ${atLeastSent} could be`] : []),
    ...(answers.length < asked ? [`${asked - answers.length} of ${asked} requests were never answered`] : []),
    ...sent.filter(({ sid }) => !chargedSids.has(sid)).map(({ sid }) => `${sid} was sent and not charged`),
    ...charged.filter(({ sms_sid }) => sms_sid === null).map(() => 'a message was charged and not sent'),
    ...charged.filter(({ taken, cost }) => taken !== cost).map(() => 'a message was charged a wrong amount'),
    ...(charged.length === sent.length ? [] : [`${sent.length} were sent and ${charged.length} charged`]),
    ...repeated(sent.map(({ body }) => body).filter((body) => body !== EQUAL)).map(
      (body) => `"${body}" was sent twice`,
    ),
    ...wrongAnswers(answers, sent, records),
    ...audit,
  ];
}

function wrongAnswers(
  answers: SmsResponse[],
  sent: SmsObservations['sent'],
  records: MessageRow[],
): string[] {
  const bodies = new Map(sent.map(({ sid, body }) => [sid, body]));
  const byId = new Map(records.map((record) => [record.id, record]));
  const recordsByBody = new Map(records.map((record) => [record.body, record]));
  const sentBodies = new Set(sent.map(({ body }) => body));
  const problemOf = ({ body, status, id, sid }: SmsResponse): string | null => {
    if (status === 200) {
      const record = byId.get(id ?? 0);
      if (record?.body !== body) return 'names a record that is not its own';
      if (sid !== null && bodies.get(sid) !== body) return `names ${sid}, which the carrier does not have`;
      // Equal messages are indistinguishable before the delivery report, so any record with this sid may be charged.
      const chargedRecord = body === EQUAL ? records.find(({ sms_sid }) => sms_sid === sid) : record;
      return sid !== null && (chargedRecord === undefined || chargedRecord.taken !== chargedRecord.cost)
        ? `names ${sid}, which is not charged`
        : null;
    }
    // The client got a failure: the message was not sent, or was found later and charged again.
    if (body === EQUAL || !sentBodies.has(body)) return null;
    return status >= 500 && recordsByBody.get(body)?.recharged ? null : 'and it was sent';
  };
  const ids = answers.flatMap(({ id }) => (id === null ? [] : [String(id)]));
  return [
    ...repeated(ids).map((id) => `two requests were answered with message ${id}`),
    ...answers.flatMap((answer) => {
      const problem = problemOf(answer);
      return problem === null ? [] : [`"${answer.body}" was answered ${answer.status} ${problem}`];
    }),
  ];
}

function repeated(values: string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
