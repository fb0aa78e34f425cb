import { Readable } from 'node:stream';
import { READ_BATCH, type LiveEventScope, type NumberedEvent } from './live-events.repository.js';

export interface StreamOptions extends LiveEventScope {
  /** SHA-256 of the token that opened it. */
  tokenHash: string;
  /** Of a campaign's stream: what its event `counters` tells; null: the campaign was deleted. */
  counters?: () => Promise<object | null>;
  read(scope: LiveEventScope, after: number, newest: number): Promise<NumberedEvent[]>;
}

interface Start {
  /** No event of the call will follow. */
  callIsOver: boolean;
  /** What a campaign's stream begins with. */
  counters?: object | null | undefined;
  /** Whether the client is told where the stream begins. */
  tellsPosition?: boolean;
}

/** How long a client waits before it connects again. */
const RECONNECT_MS = 2_000;

/**
 * Server-sent events of an account, a call or a campaign. Reads a batch when the client has taken the one before: in
 * memory is one batch at most, and between batches it holds no connection to the database.
 */
export class LiveEventStream extends Readable {
  private position = 0;
  private newest = 0;
  private takesMore = false;
  private isReading = false;
  /** After so many polls a stream that has sent all ends: its call is over. */
  private pollsToEnd = Infinity;
  private isComplete = false;
  private sentCounters = '';

  constructor(readonly options: StreamOptions) {
    super({ highWaterMark: 1 });
  }

  /** @param after number of the last event that the client has; 0 for none */
  startAfter(after: number, { callIsOver, counters, tellsPosition = false }: Start): void {
    this.position = after;
    // The poll that runs now may have begun before the call was over.
    if (callIsOver) this.pollsToEnd = 2;
    this.sentCounters = counters ? JSON.stringify(counters) : '';
    const position = tellsPosition ? positionText(after) : '';
    this.send(`retry: ${RECONNECT_MS}\n\n${position}${counters ? countersText(this.sentCounters) : ''}`);
  }

  /** All events up to this number can be read. */
  advanceTo(newest: number): void {
    this.newest = Math.max(this.newest, newest);
    this.readNext();
    this.pollsToEnd -= 1;
    if (this.pollsToEnd <= 0 && !this.isReading && this.position >= this.newest) this.complete();
  }

  /** Sends them when they have changed. A client that takes nothing now gets them later. */
  sendCounters(counters: object): void {
    const text = JSON.stringify(counters);
    if (text === this.sentCounters || !this.takesMore) return;
    this.sentCounters = text;
    this.send(countersText(text));
  }

  /** A comment, so that neither side takes a quiet connection for a dead one. */
  sendHeartbeat(): void {
    if (this.takesMore) this.send(':\n\n');
  }

  /** The client connects again, unless its call is over or its token no longer valid. */
  complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.push(null);
  }

  override _read(): void {
    this.takesMore = true;
    this.readNext();
  }

  private readNext(): void {
    if (!this.takesMore || this.isReading || this.isComplete || this.position >= this.newest) return;
    this.isReading = true;
    const { newest } = this;
    void this.options
      .read(this.options, this.position, newest)
      // What could not be read is read when the newest number is told again.
      .catch(() => null)
      .then((events) => {
        this.isReading = false;
        if (events !== null) this.sendEvents(events, newest);
      });
  }

  private sendEvents(events: NumberedEvent[], newest: number): void {
    const last = events.length === READ_BATCH ? events.at(-1)?.seq : undefined;
    this.position = last ?? newest;
    const end = this.options.callId === null ? -1 : events.findIndex(({ kind }) => kind === 'ended');
    const shown = end < 0 ? events : events.slice(0, end + 1);
    if (shown.length > 0) this.send(shown.map(toText).join(''));
    if (end >= 0) this.complete();
    this.readNext();
  }

  private send(text: string): void {
    if (this.isComplete || this.destroyed) return;
    this.takesMore = this.push(text);
  }
}

/** So that a stream that is lost before its first event is resumed without a gap. */
const positionText = (seq: number): string => `id: ${seq}\nevent: position\ndata: {}\n\n`;

/** Without an id: the last one stays that of an event which can be resumed behind. */
const countersText = (data: string): string => `event: counters\ndata: ${data}\n\n`;

const toText = ({ seq, kind, data }: NumberedEvent): string =>
  `id: ${seq}\nevent: ${kind}\ndata: ${data}\n\n`;
