import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingFault } from '../callees/callee.js';
import { calleeOf } from '../callees/callees.js';
import { recordingSeconds, type CallRecord, type RecordingRecord } from './call-record.js';
import type { Network } from './network.js';
import { recordedWav } from './recording-audio.js';
import { RestError } from './rest-error.js';

const MEDIA = /^(RE[0-9a-f]{32})(\.wav)?$/;
const RESOURCE = /^(RE[0-9a-f]{32})\.json$/;
/** Bytes sent before a slow or broken download stops. */
const BEGINNING_BYTES = 4_000;

interface Found {
  call: CallRecord;
  recording: RecordingRecord;
}

/**
 * The audio of recordings and their deletion, below `/2010-04-01/Accounts/{sid}`. The carrier can require credentials
 * here too; the sandbox does.
 */
export function recordingsRoutes(app: FastifyInstance, network: Network): void {
  const find = (sid: string | undefined): Found => {
    for (const call of network.calls()) {
      const recording = call.recordings.find((one) => one.sid === sid);
      if (recording) return { call, recording };
    }
    throw new RestError(20404);
  };

  app.get<{ Params: { file: string } }>('/Recordings/:file', (request, reply) => {
    const found = find(MEDIA.exec(request.params.file)?.[1]);
    if (found.recording.endedAt === null) throw new RestError(20404);
    const { call, recording } = found;
    const fault = calleeOf(call.direction === 'inbound' ? call.from : call.to).recordingFault;
    if (fault === 'elsewhere') {
      return reply.redirect(`/recording-storage/${recording.sid}`, 302);
    }
    if (fault === 'private') return reply.redirect('http://127.0.0.1:1/recording.wav', 302);
    return send(network, found, request, reply, fault);
  });

  app.delete<{ Params: { file: string } }>('/Recordings/:file', async ({ params }, reply) => {
    const { call, recording } = find(RESOURCE.exec(params.file)?.[1]);
    call.recordings.splice(call.recordings.indexOf(recording), 1);
    network.journal.write('recording-deletion', call, { recording: recording.sid });
    return reply.code(204).send();
  });
}

/** URLs of the audio of some recordings: they require no credentials. */
export function recordingStorage(app: FastifyInstance, network: Network): void {
  app.get<{ Params: { sid: string } }>('/recording-storage/:sid', (request, reply) => {
    for (const call of network.calls()) {
      const recording = call.recordings.find(({ sid }) => sid === request.params.sid);
      if (recording) return send(network, { call, recording }, request, reply, null);
    }
    return reply.code(404).send();
  });
}

/** The journal records the number of bytes sent, and whether the client aborted. */
function send(
  network: Network,
  { call, recording }: Found,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  fault: RecordingFault | null,
): FastifyReply {
  const whole = recordedWav(recording.sid, recordingSeconds(recording));
  const part = fault === 'unsized' || fault === 'whole' ? null : partOf(headers.range, whole.length);
  if (part === 'outside') {
    return reply.code(416).header('content-range', `bytes */${whole.length}`).send();
  }
  const bytes = part ? whole.subarray(part.first, part.last + 1) : whole;
  if (part) {
    void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${whole.length}`);
  }
  if (fault !== 'unsized') {
    void reply.headers({ 'content-length': String(bytes.length), 'accept-ranges': 'bytes' });
  }
  reply.raw.once('close', () =>
    network.journal.write('download', call, {
      recording: recording.sid,
      range: headers.range ?? null,
      whole: reply.raw.writableFinished,
    }),
  );
  return reply.type('audio/x-wav').send(Readable.from(pieces(bytes, fault, reply)));
}

async function* pieces(
  bytes: Buffer,
  fault: RecordingFault | null,
  reply: FastifyReply,
): AsyncGenerator<Buffer> {
  if (fault !== 'slow' && fault !== 'breaks') {
    yield bytes;
    return;
  }
  yield bytes.subarray(0, BEGINNING_BYTES);
  if (fault === 'breaks') setTimeout(() => reply.raw.destroy(), 50);
  await once(reply.raw, 'close');
}

/** A single range, as the carrier supports it; others are ignored. */
function partOf(
  header: string | undefined,
  total: number,
): { first: number; last: number } | 'outside' | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const first = from === '' ? Math.max(0, total - Number(to)) : Number(from);
  const last = from === '' || to === '' ? total - 1 : Math.min(Number(to), total - 1);
  return first >= total || last < first ? 'outside' : { first, last };
}
