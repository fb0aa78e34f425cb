import { Readable } from 'node:stream';
import type { TokenUser } from '#src/auth/access-tokens.service.js';
import { EVENT_READ_BATCH, type LiveEventScope, type NumberedEvent } from './live-events.repository.js';

export interface LiveEventStreamOptions extends LiveEventScope {
  /** Who opened it. */
  user: TokenUser;
  /** Of a campaign's stream: data of its event `counters`; null: the campaign was deleted. */
  counters?: () => Promise<object | null>;
  read(scope: LiveEventScope, after: number, newest: number): Promise<NumberedEvent[]>;
}

interface StreamStart {
  /** No event of the call will follow. */
  isCallOver: boolean;
  /** First data of a campaign's event `counters`. */
  counters?: object | null | undefined;
  /** Whether the stream starts with the event `position`. */
  sendsPosition?: boolean;
}

/** Reconnection time of clients. */
const RECONNECT_MS = 2_000;

/**
 * Server-sent events of an account, a call or a campaign. Reads a batch when the client has received the one before:
 * at most one batch is in memory, and no database connection is held between batches.
 */
export class LiveEventStream extends Readable {
  private position = 0;
  private newest = 0;
  private canPush = false;
  private isReading = false;
  /** Polls until the end of a complete stream of an ended call. */
  private pollsToEnd = Infinity;
  private isComplete = false;
  private sentCounters = '';

  constructor(readonly options: LiveEventStreamOptions) {
    super({ highWaterMark: 1 });
  }

  /** @param after number of the last event that the client has; 0 for none */
  startAfter(after: number, { isCallOver, counters, sendsPosition = false }: StreamStart): void {
    this.position = after;
    // The current poll may have started before the end of the call.
    if (isCallOver) this.pollsToEnd = 2;
    this.sentCounters = counters ? JSON.stringify(counters) : '';
    const position = sendsPosition ? positionText(after) : '';
    this.send(`retry: ${RECONNECT_MS}\n\n${position}${counters ? countersText(this.sentCounters) : ''}`);
  }

  /** All events up to this number can be read. */
  readUpTo(newest: number): void {
    this.newest = Math.max(this.newest, newest);
    this.readNext();
    this.pollsToEnd -= 1;
    if (this.pollsToEnd <= 0 && !this.isReading && this.position >= this.newest) this.complete();
  }

  /** Sends changed counters; to a slow client later. */
  sendCounters(counters: object): void {
    const text = JSON.stringify(counters);
    if (text === this.sentCounters || !this.canPush) return;
    this.sentCounters = text;
    this.send(countersText(text));
  }

  /** A comment, so that neither side closes an idle connection. */
  sendHeartbeat(): void {
    if (this.canPush) this.send(':\n\n');
  }

  /** Ends the stream; the client reconnects unless its call has ended or its token is invalid. */
  complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.push(null);
  }

  override _read(): void {
    this.canPush = true;
    this.readNext();
  }

  private readNext(): void {
    if (!this.canPush || this.isReading || this.isComplete || this.position >= this.newest) return;
    this.isReading = true;
    const { newest } = this;
    void this.options
      .read(this.options, this.position, newest)
      // A failed read is repeated with the next poll.
      .catch(() => null)
      .then((events) => {
        this.isReading = false;
        if (events !== null) this.sendEvents(events, newest);
      });
  }

  private sendEvents(events: NumberedEvent[], newest: number): void {
    const last = events.length === EVENT_READ_BATCH ? events.at(-1)?.seq : undefined;
    this.position = last ?? newest;
    const end = this.options.callId === null ? -1 : events.findIndex(({ kind }) => kind === 'ended');
    const shown = end < 0 ? events : events.slice(0, end + 1);
    if (shown.length > 0) this.send(shown.map(toText).join(''));
    if (end >= 0) this.complete();
    this.readNext();
  }

  private send(text: string): void {
    if (this.isComplete || this.destroyed) return;
    this.canPush = this.push(text);
  }
}

/** Lets a stream that breaks before its first event resume without a gap. */
const positionText = (seq: number): string => `id: ${seq}\nevent: position\ndata: {}\n\n`;

/** Without an id, so that the client keeps the id of the last resumable event. */
const countersText = (data: string): string => `event: counters\ndata: ${data}\n\n`;

const toText = ({ seq, kind, data }: NumberedEvent): string =>
  `id: ${seq}\nevent: ${kind}\ndata: ${data}\n\n`;
