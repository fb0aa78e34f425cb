import { once } from 'node:events';
import { recordingSeconds, type RecordingRecord } from './call-record.js';
import type { CallHandle } from './carrier-context.js';
import { rfc2822 } from './rest-dates.js';
import { newSid } from './sids.js';
import { childrenNamed, type Verb } from './twiml.js';

const ALREADY_RECORDED = 'The call is being recorded already.';
/** Processing time of a recording after the call, in simulated time. */
const PROCESSING_MS = 1_200;

/** `<Start><Recording/></Start>`: records until the call ends, then requests the callback. Refused the second time. */
export function startRecording(call: CallHandle, start: Verb): void {
  const verb = childrenNamed(start, 'Recording')[0];
  if (verb === undefined) return;
  if (call.record.recordings.length > 0) {
    call.carrier.journal.write('refusal', call.record, { what: 'recording', why: ALREADY_RECORDED });
    return;
  }
  const recording: RecordingRecord = {
    sid: newSid('RE'),
    callSid: call.record.sid,
    startedAt: new Date(),
    endedAt: null,
  };
  call.record.recordings.push(recording);
  call.carrier.changed(call.record, call.urls);
  const url = verb.attributes['recordingStatusCallback'];
  if (url !== undefined) void tellWhenReady(call, recording, url).catch(() => undefined);
}

/** URL of the recording's audio. */
export function recordingUrl(publicUrl: string, accountSid: string, recordingSid: string): string {
  return `${publicUrl}/2010-04-01/Accounts/${accountSid}/Recordings/${recordingSid}`;
}

async function tellWhenReady(call: CallHandle, recording: RecordingRecord, url: string): Promise<void> {
  const { carrier, record } = call;
  await once(call.over, 'abort');
  await carrier.clockSpeed.sleep(PROCESSING_MS, carrier.closing);
  await carrier.webhooks.notify({
    event: 'recording',
    url,
    subject: record,
    params: {
      AccountSid: carrier.accountSid,
      CallSid: record.sid,
      RecordingSid: recording.sid,
      RecordingUrl: recordingUrl(carrier.publicUrl, carrier.accountSid, recording.sid),
      RecordingStatus: 'completed',
      RecordingDuration: String(recordingSeconds(recording)),
      RecordingChannels: '1',
      RecordingSource: 'StartCallRecordingAPI',
      RecordingStartTime: rfc2822(recording.startedAt),
    },
  });
}
