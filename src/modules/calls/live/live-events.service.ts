import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  StreamableFile,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { ServiceUnavailable, TooManyRequests } from '#src/common/errors/api-error.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { EVENT_STREAM } from '#src/http/event-stream.decorator.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { CallNotFound } from '../calls.errors.js';
import { LiveEventStream } from './live-event-stream.js';
import { LiveEventsRepository, type LiveEventScope, type NumberedEvent } from './live-events.repository.js';

/** Open streams of one account in this process. */
export const MAX_STREAMS = 50;
const RETRY_SECONDS = 10;
/** How late an event may be; one statement for all streams of the process. */
const POLL_MS = 200;
const BEAT_MS = 15_000;
/** How often the counters of a campaign are looked at. */
const COUNT_MS = 1_000;
/** How long a revoked token or a deleted call keeps its streams. */
const CHECK_MS = 5_000;
/** How long the end of the process waits for clients that take nothing. */
const END_MS = 1_000;

export interface LiveEventReader extends LiveEventScope {
  tokenHash: string;
  /** As in `StreamOptions`. */
  counters?: () => Promise<object | null>;
  /** The header `Last-Event-ID`. */
  lastEventId: string | undefined;
  /** `now`: without such a header the stream begins behind the newest event. */
  from?: 'now' | undefined;
}

/** The open streams of this process. Events come from rows, whichever process wrote them. */
@Injectable()
export class LiveEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LiveEventsService.name);
  private readonly streams = new Map<number, Set<LiveEventStream>>();
  /** Streams at the same position share a read. */
  private readonly reads = new Map<string, Promise<NumberedEvent[]>>();
  private isStopped = false;
  private readonly tasks = [
    new PeriodicTask(POLL_MS, () => this.poll(), this.warn('Reading')),
    new PeriodicTask(CHECK_MS, () => this.endForbidden(), this.warn('Checking readers of')),
    new PeriodicTask(COUNT_MS, () => this.sendCounters(), this.warn('Counting for readers of')),
    new PeriodicTask(BEAT_MS, async () => this.all().forEach((stream) => stream.sendHeartbeat())),
  ];

  constructor(
    private readonly events: LiveEventsRepository,
    private readonly tokens: AccessTokensService,
    private readonly outage: DatabaseOutageService,
    { registry }: MetricsService,
  ) {
    const count = (): number => this.all().length;
    new Gauge({
      name: 'live_event_streams',
      help: 'Open streams of events of calls and campaigns.',
      registers: [registry],
      collect() {
        this.set(count());
      },
    });
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) withConnectionQuota('jobs', () => task.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    const ended = this.all().map((stream) => once(stream, 'close'));
    for (const stream of this.all()) stream.complete();
    await Promise.race([Promise.all(ended), sleep(END_MS, undefined, { ref: false })]);
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /**
   * Nest destroys the stream when the response is closed.
   *
   * @throws CallNotFound, TooManyRequests
   */
  async open({ lastEventId, from, ...options }: LiveEventReader): Promise<StreamableFile> {
    const stream = this.add(
      new LiveEventStream({ ...options, read: (scope, after, newest) => this.read(scope, after, newest) }),
    );
    try {
      const { callId, accountId } = options;
      const progress = callId === null ? 'runs' : await this.events.findProgress(accountId, callId);
      if (progress === null) throw new CallNotFound();
      const tellsPosition = from === 'now' && !lastEventId;
      const after = tellsPosition
        ? await this.events.findNewestInScope(options)
        : await this.positionOf(options, lastEventId);
      const counters = await options.counters?.();
      stream.startAfter(after, { callIsOver: progress === 'final', counters, tellsPosition });
      return new StreamableFile(stream, { type: EVENT_STREAM });
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  private add(stream: LiveEventStream): LiveEventStream {
    if (this.isStopped) throw new ServiceUnavailable();
    const { accountId } = stream.options;
    const own = this.streams.get(accountId) ?? new Set();
    if (own.size >= MAX_STREAMS) throw new TooManyRequests(RETRY_SECONDS);
    this.streams.set(accountId, own.add(stream));
    stream.once('close', () => {
      own.delete(stream);
      if (own.size === 0 && this.streams.get(accountId) === own) this.streams.delete(accountId);
    });
    return stream;
  }

  /** 0, the beginning, for an id that names no kept event of the stream. */
  private async positionOf(scope: LiveEventScope, lastEventId = ''): Promise<number> {
    const seq = /^[1-9]\d{0,14}$/.test(lastEventId) ? Number(lastEventId) : 0;
    return seq > 0 && (await this.events.isKept(scope, seq)) ? seq : 0;
  }

  /** Uses the connections of the account, whoever asks. */
  private read(scope: LiveEventScope, after: number, newest: number): Promise<NumberedEvent[]> {
    const key = `${scope.accountId} ${scope.callId} ${scope.campaignId} ${after} ${newest}`;
    const running = this.reads.get(key);
    if (running) return running;
    const started = withConnectionQuota(scope.accountId, () =>
      this.events.read(scope, after, newest),
    ).finally(() => this.reads.delete(key));
    this.reads.set(key, started);
    return started;
  }

  private async poll(): Promise<void> {
    const accounts = [...this.streams.keys()];
    if (accounts.length === 0) return;
    for (const [accountId, newest] of await this.events.findNewestByAccount(accounts)) {
      for (const stream of this.streams.get(accountId) ?? []) stream.advanceTo(newest);
    }
  }

  /** Readers of one campaign share its counters. */
  private async sendCounters(): Promise<void> {
    const found = new Map<number, Promise<object | null>>();
    await Promise.all(
      this.all().map(async (stream) => {
        const { accountId, campaignId, counters } = stream.options;
        if (!counters || !campaignId) return;
        const told = found.get(campaignId) ?? withConnectionQuota(accountId, counters);
        found.set(campaignId, told);
        const now = await told;
        if (now === null) stream.complete();
        else stream.sendCounters(now);
      }),
    );
  }

  private async endForbidden(): Promise<void> {
    const streams = this.all();
    if (streams.length === 0) return;
    const callIds = streams.flatMap(({ options: { callId } }) => callId ?? []);
    const [live, shown] = await Promise.all([
      this.tokens.findValidHashes([...new Set(streams.map(({ options }) => options.tokenHash))]),
      this.events.shownCalls([...new Set(callIds)]),
    ]);
    for (const stream of streams) {
      const { tokenHash, callId } = stream.options;
      if (!live.has(tokenHash) || (callId !== null && !shown.has(callId))) stream.complete();
    }
  }

  private all(): LiveEventStream[] {
    return [...this.streams.values()].flatMap((own) => [...own]);
  }

  private warn(what: string): (error: unknown) => void {
    return (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn(`${what} live events failed; trying again`, describeError(error));
    };
  }
}
