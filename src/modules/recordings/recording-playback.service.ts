import { pipeline, type Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { ApiError, TooManyRequests } from '#src/common/errors/api-error.js';
import { describeError } from '#src/common/errors/describe-error.js';
import {
  ByteSlice,
  partLength,
  parseRange,
  resolveRange,
  type BytePart,
  type ByteRange,
} from '#src/http/byte-range.js';
import { KeyedConcurrencyLimiter, NoSlotError } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { AuditService } from '../audit/audit.service.js';
import { CarrierCalls, type RecordingAudio } from '../telephony/carrier-calls.js';
import type { Recording } from './entities/recording.entities.js';
import { RecordingLinksService } from './recording-links.service.js';
import { RangeNotSatisfiable, RecordingNotFound, RecordingUnavailable } from './recordings.errors.js';
import { RecordingsRepository } from './recordings.repository.js';
import { RecordingStoresService } from './stores/recording-stores.service.js';

/** Open downloads of one account's recordings in this process; a browser has one or two of each that it plays. */
const MAX_STREAMS = 10;
const MAX_WAITING = 20;
const MAX_WAIT_SECONDS = 5;
/** Parts of a recording that an address asks for in this time are one playback. */
const SAME_PLAYBACK_MS = 10 * 60_000;
const MAX_PLAYERS = 10_000;

/** The headers of a request that a player sends. */
export interface PlaybackRequest {
  range?: string | undefined;
  ifRange?: string | undefined;
  ifNoneMatch?: string | undefined;
  /** Aborts when the client is gone or has its answer. */
  closed: AbortSignal;
  client: { address: string; requestId: string };
}

export interface PlaybackResponse {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  /** Null: none belongs to the status. */
  body: Readable | null;
}

/** Streams recordings to clients with a signed link, from their storage. */
@Injectable()
export class RecordingPlaybackService {
  private readonly logger = new Logger(RecordingPlaybackService.name);
  /** When the playback of a call by an address was recorded, the oldest first. */
  private readonly played = new Map<string, number>();
  private readonly streams = new KeyedConcurrencyLimiter<number>(MAX_STREAMS, {
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_SECONDS * 1000,
  });

  constructor(
    private readonly links: RecordingLinksService,
    private readonly recordings: RecordingsRepository,
    private readonly stores: RecordingStoresService,
    private readonly carrier: CarrierCalls,
    private readonly audit: AuditService,
  ) {}

  /** @throws ApiError 403, 404, 416, 429 or 502 */
  async openPlayback(link: string, request: PlaybackRequest): Promise<PlaybackResponse> {
    const callId = await this.links.verifyLink(link);
    // All players share a few connections, so that links cannot take those of the API.
    const recording = await withConnectionQuota('jobs', () => this.recordings.findPlayable(callId));
    if (!recording) throw new RecordingNotFound();
    const etag = `"recording-${recording.id}"`;
    if (request.ifNoneMatch === etag) return { status: 304, headers: { ETag: etag }, body: null };
    await this.enter(recording.accountId, request.closed);
    await this.recordPlayback(recording, request);
    const isSame = request.ifRange === undefined || request.ifRange === etag;
    const range = isSame ? parseRange(request.range) : null;
    return toPlaybackResponse(await this.audio(recording, range, request.closed), { callId, etag });
  }

  /**
   * The whole audio of a call, for an archive. Null: there is none.
   * @throws ApiError 502
   */
  async openAudio(callId: number, signal: AbortSignal): Promise<RecordingAudio | null> {
    const recording = await this.recordings.findPlayable(callId);
    return (
      recording &&
      this.audio(recording, null, signal).catch((error: unknown) => {
        if (error instanceof RecordingNotFound) return null;
        throw error;
      })
    );
  }

  /** A player asks for a recording in many parts: they are one entry. */
  private async recordPlayback({ accountId, callId }: Recording, { client }: PlaybackRequest): Promise<void> {
    const player = `${callId} ${client.address}`;
    if (performance.now() - (this.played.get(player) ?? -Infinity) < SAME_PLAYBACK_MS) return;
    const actor = { type: 'link', id: null, name: null, ...client } as const;
    await this.audit.recordRead({ accountId, action: 'call.read-recording', resourceId: callId, actor });
    this.played.delete(player);
    this.played.set(player, performance.now());
    const [oldest] = this.played.keys();
    if (this.played.size > MAX_PLAYERS && oldest !== undefined) this.played.delete(oldest);
  }

  /** The slot is released when the response was sent or its client has disconnected. */
  private async enter(accountId: number, closed: AbortSignal): Promise<void> {
    try {
      const release = await this.streams.acquire(accountId, closed);
      if (closed.aborted) release();
      else closed.addEventListener('abort', release, { once: true });
    } catch (error) {
      throw error instanceof NoSlotError ? new TooManyRequests(MAX_WAIT_SECONDS) : error;
    }
  }

  private async audio(
    recording: Recording,
    range: ByteRange | null,
    signal: AbortSignal,
  ): Promise<RecordingAudio> {
    try {
      const audio =
        recording.objectKey === null
          ? await this.carrier.fetchRecording(recording.carrierUrl, { range, signal })
          : await this.copy(recording, range, signal);
      if (!audio) throw new RecordingNotFound();
      if ('outside' in audio) throw new RangeNotSatisfiable(audio.outside);
      return cut(audio, range);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (!signal.aborted)
        this.logger.warn(
          'A recording could not be read: its player gets an error or a part',
          describeError(error),
        );
      throw new RecordingUnavailable();
    }
  }

  private async copy(
    { storage, objectKey, bytes, contentType }: Recording,
    range: ByteRange | null,
    signal: AbortSignal,
  ): Promise<RecordingAudio | { outside: number } | null> {
    const store = this.stores.findStore(storage);
    if (!store) throw new Error(`The settings do not name the storage ${storage} any more`);
    const total = Number(bytes);
    const part = range && resolveRange(range, total);
    if (range && !part) return { outside: total };
    const body = await store.open(objectKey ?? '', part, signal);
    return (
      body && { contentType: contentType === 'audio/mpeg' ? contentType : 'audio/wav', total, part, body }
    );
  }
}

/** Of a whole that a range was asked of, the range: a carrier may ignore it. */
function cut(audio: RecordingAudio, range: ByteRange | null): RecordingAudio {
  const { total, body } = audio;
  if (range === null || audio.part !== null || total === null) return audio;
  const part = resolveRange(range, total);
  if (!part) {
    body.on('error', () => undefined).destroy();
    throw new RangeNotSatisfiable(total);
  }
  const slice = new ByteSlice(part);
  // The rest is not read. An error of the source destroys the slice, which ends the answer.
  slice.once('end', () => body.destroy());
  pipeline(body, slice, () => undefined);
  return { ...audio, part, body: slice };
}

function toPlaybackResponse(
  { contentType, total, part, body }: RecordingAudio,
  { callId, etag }: { callId: number; etag: string },
): PlaybackResponse {
  const name = `call-${callId}.${contentType === 'audio/mpeg' ? 'mp3' : 'wav'}`;
  const length = part ? partLength(part) : total;
  const headers = {
    'Content-Type': contentType,
    'Content-Disposition': `inline; filename="${name}"`,
    ETag: etag,
    // Validated at every use: a deleted recording is not played from a cache.
    'Cache-Control': 'private, no-cache',
    ...(length === null ? {} : { 'Content-Length': String(length) }),
    ...(part || total !== null ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(part ? { 'Content-Range': contentRange(part, total) } : {}),
  };
  return { status: part ? 206 : 200, headers, body };
}

const contentRange = ({ first, last }: BytePart, total: number | null): string =>
  `bytes ${first}-${last}/${total ?? '*'}`;
