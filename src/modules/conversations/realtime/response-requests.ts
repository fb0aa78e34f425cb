import type { RealtimeConnection, RealtimeEvent, RealtimeRequest } from '../../speech/realtime-model.js';
import type { Clock } from '../engine/clock.js';
import { FIRST_TOKEN_TIMEOUT_MS } from '../engine/response-attempt.js';

/** Maximum time until a response begins, and until it goes on after one of its parts … */
const START_TIMEOUT_MS = 4_000;
/** … and of a pause in its speech. */
const STALL_TIMEOUT_MS = 2_500;
/**
 * Maximum time until the first word or call, with the second request. The engine would end the call, which can go on in
 * another mode; its timeout includes the wait for the end of a cancelled response.
 */
const CONTENT_TIMEOUT_MS = FIRST_TOKEN_TIMEOUT_MS - 1_500;
/** Delay of a retry while another response is active, and after a failure. */
const RETRY_MS = 300;
/** Longest delay after a rate limit: the call goes on sooner in another mode. */
const MAX_RETRY_MS = 4_000;
/** Responses of a session that are requested again: more failures are not accidental. */
const MAX_RETRIES = 3;

export interface ResponseRequestsListener {
  /** @returns the request for the rest of a response that failed or stalled; null: it cannot be continued */
  nextRequest(request: RealtimeRequest): RealtimeRequest | null;
  /** The response failed, and is not requested again. */
  failed(why: string, request: RealtimeRequest): void;
}

interface OpenRequest {
  request: RealtimeRequest;
  requestedAt: number;
  /** Time of the request or of the last event. */
  activeAt: number;
  /** Words or a call were received. */
  hasContent: boolean;
  /** The last event was a piece of speech. */
  isSpeaking: boolean;
  isRetried: boolean;
  /** The provider does not have it: it is requested again after a delay. */
  isDelayed: boolean;
  cancelWatch: () => void;
}

/** Requests responses, again while another one is active, and once more when one fails or stalls. */
export class ResponseRequests {
  /** By the name of the response at the provider. */
  private readonly open = new Map<string, OpenRequest>();
  private retries = 0;

  constructor(
    private readonly clock: Clock,
    private readonly connection: RealtimeConnection,
    private readonly on: ResponseRequestsListener,
  ) {}

  create(request: RealtimeRequest): void {
    const now = this.clock.now();
    this.send(request.response, {
      request,
      requestedAt: now,
      activeAt: now,
      hasContent: false,
      isSpeaking: false,
      isRetried: false,
      isDelayed: false,
      cancelWatch: () => undefined,
    });
  }

  /** The name of the response that an event is about; null: it has ended, or another request replaced it. */
  find(name: string): string | null {
    return this.open.get(name)?.request.response ?? null;
  }

  /** Milliseconds since the request. */
  waitedMs(name: string): number {
    return this.clock.now() - (this.open.get(name)?.requestedAt ?? this.clock.now());
  }

  /** An event about a response. */
  handleEvent({ response, kind }: Extract<RealtimeEvent, { response: string }>): void {
    const one = this.open.get(response);
    if (!one || kind === 'refused') return;
    one.activeAt = this.clock.now();
    one.hasContent ||= kind === 'transcript' || kind === 'call';
    one.isSpeaking = kind === 'transcript' || kind === 'audio';
  }

  /** The timeout counts from the first request. */
  handleRefusal({ response, isBusy }: Extract<RealtimeEvent, { kind: 'refused' }>): void {
    const one = this.open.get(response);
    if (!one) return;
    if (!isBusy) return this.retry(response, 'The realtime model refused a response');
    this.delay(response, one, RETRY_MS, () => this.connection.createResponse({ ...one.request, response }));
  }

  /**
   * The response failed: it is requested again, unless it was.
   *
   * @param afterMs until the provider accepts requests
   */
  retry(name: string, why: string, afterMs = 0): void {
    const one = this.open.get(name);
    if (!one) return;
    this.close(name);
    const delayMs = Math.max(RETRY_MS, afterMs);
    const isTooLate = delayMs > MAX_RETRY_MS || this.leftForContentMs(one) <= delayMs;
    const isLast = one.isRetried || this.retries >= MAX_RETRIES || isTooLate;
    const next = isLast ? null : this.on.nextRequest(one.request);
    if (!next) return this.on.failed(why, one.request);
    this.retries += 1;
    const again = { ...one, request: next, isRetried: true, isSpeaking: false };
    const againName = `${name}-again`;
    this.open.set(againName, again);
    this.delay(againName, again, delayMs, () => this.send(againName, again));
  }

  /**
   * Asks the provider to stop. Further events about the response are still found until it ends.
   *
   * @returns false: no events follow, because the provider does not have it
   */
  cancel(response: string): boolean {
    let isFollowed = false;
    for (const [name, { request, isDelayed, cancelWatch }] of this.open) {
      if (request.response !== response) continue;
      if (isDelayed) {
        this.close(name);
        continue;
      }
      cancelWatch();
      this.connection.cancelResponse(name);
      isFollowed = true;
    }
    return isFollowed;
  }

  /** The response has ended. */
  close(name: string): void {
    this.open.get(name)?.cancelWatch();
    this.open.delete(name);
  }

  closeAll(): void {
    for (const name of Array.from(this.open.keys())) this.close(name);
  }

  /** Requests it later, unless it is cancelled or replaced before. */
  private delay(name: string, one: OpenRequest, ms: number, request: () => void): void {
    one.isDelayed = true;
    this.clock.setTimeout(() => {
      if (this.open.get(name) !== one) return;
      one.isDelayed = false;
      request();
    }, ms);
  }

  private send(name: string, one: OpenRequest): void {
    one.activeAt = this.clock.now();
    this.open.set(name, one);
    this.connection.createResponse({ ...one.request, response: name });
    this.watch(name, one);
  }

  private watch(name: string, one: OpenRequest): void {
    const limitMs = one.isSpeaking ? STALL_TIMEOUT_MS : START_TIMEOUT_MS;
    const leftMs = Math.min(one.activeAt + limitMs - this.clock.now(), this.leftForContentMs(one));
    if (leftMs > 0) {
      // At most the shorter limit: speech may begin meanwhile.
      const nextMs = Math.min(leftMs, STALL_TIMEOUT_MS);
      one.cancelWatch = this.clock.setTimeout(() => this.watch(name, one), nextMs);
      return;
    }
    this.connection.cancelResponse(name);
    this.retry(name, 'The realtime model is too slow');
  }

  private leftForContentMs({ hasContent, requestedAt }: OpenRequest): number {
    return hasContent ? Infinity : requestedAt + CONTENT_TIMEOUT_MS - this.clock.now();
  }
}
