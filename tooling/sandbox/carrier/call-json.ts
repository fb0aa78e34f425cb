import { callSeconds, recordingSeconds, type CallRecord, type RecordingRecord } from './call-record.js';
import { callPrice, PRICE_DELAY_MS } from './prices.js';
import { rfc2822, rfc2822OrNull } from './rest-dates.js';

/** A call in the representation of the REST API. */
export function callJson(accountSid: string, call: CallRecord) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}`;
  return {
    sid: call.sid,
    account_sid: accountSid,
    parent_call_sid: call.parentCallSid,
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.updatedAt),
    to: call.to,
    to_formatted: call.to,
    from: call.from,
    from_formatted: call.from,
    phone_number_sid: null,
    status: call.status,
    start_time: rfc2822OrNull(call.startedAt),
    end_time: rfc2822OrNull(call.endedAt),
    duration: call.endedAt === null ? null : String(callSeconds(call)),
    price: priceOf(call),
    price_unit: 'USD',
    direction: call.direction,
    answered_by: call.answeredBy,
    api_version: '2010-04-01',
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: '0',
    trunk_sid: null,
    uri: `${uri}.json`,
    subresource_uris: { recordings: `${uri}/Recordings.json` },
  };
}

/** An unanswered call has no charge, and its price stays null. */
function priceOf(call: CallRecord): string | null {
  const known = call.endedAt !== null && Date.now() - call.endedAt.getTime() >= PRICE_DELAY_MS;
  return known && call.answered ? callPrice(call.direction, call.to, callSeconds(call)) : null;
}

export function recordingJson(accountSid: string, recording: RecordingRecord) {
  const finished = recording.endedAt !== null;
  const changedAt = recording.endedAt ?? recording.startedAt;
  return {
    sid: recording.sid,
    account_sid: accountSid,
    call_sid: recording.callSid,
    conference_sid: null,
    api_version: '2010-04-01',
    date_created: rfc2822(recording.startedAt),
    date_updated: rfc2822(changedAt),
    start_time: rfc2822(recording.startedAt),
    duration: finished ? String(recordingSeconds(recording)) : null,
    price: null,
    price_unit: 'USD',
    status: finished ? 'completed' : 'in-progress',
    channels: 1,
    source: 'StartCallRecordingAPI',
    track: 'both',
    error_code: null,
    encryption_details: null,
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${recording.callSid}/Recordings/${recording.sid}.json`,
  };
}
