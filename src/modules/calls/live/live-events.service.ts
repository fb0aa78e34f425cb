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
import { AccessTokensService, type TokenUser } from '#src/auth/access-tokens.service.js';
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
export const MAX_LIVE_STREAMS = 50;
const RETRY_SECONDS = 10;
/** Maximum delay of an event; one statement for all streams of the process. */
const POLL_MS = 200;
const HEARTBEAT_MS = 15_000;
/** Interval of reading a campaign's counters. */
const COUNTERS_MS = 1_000;
/** Maximum delay of closing streams of deleted calls, and of tokens that their clients may not use any more. */
const CHECK_MS = 5_000;
/** Maximum wait for slow clients at the end of the process. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface LiveEventSubscription extends LiveEventScope {
  user: TokenUser;
  /** As in `LiveEventStreamOptions`. */
  counters?: () => Promise<object | null>;
  /** The header `Last-Event-ID`. */
  lastEventId: string | undefined;
  /** `now`: without such a header the stream begins after the newest event. */
  from?: 'now' | undefined;
}

/** The open streams of this process. Events are read from rows written by any process. */
@Injectable()
export class LiveEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LiveEventsService.name);
  private readonly streams = new Map<number, Set<LiveEventStream>>();
  /** Streams at the same position share a read. */
  private readonly reads = new Map<string, Promise<NumberedEvent[]>>();
  private isStopped = false;
  private readonly tasks = [
    new PeriodicTask(POLL_MS, () => this.poll(), this.warnAbout('Reading')),
    new PeriodicTask(CHECK_MS, () => this.closeUnauthorized(), this.warnAbout('Checking readers of')),
    new PeriodicTask(COUNTERS_MS, () => this.sendCounters(), this.warnAbout('Counting for readers of')),
    new PeriodicTask(HEARTBEAT_MS, async () => this.allStreams().forEach((stream) => stream.sendHeartbeat())),
  ];

  constructor(
    private readonly events: LiveEventsRepository,
    private readonly tokens: AccessTokensService,
    private readonly outage: DatabaseOutageService,
    { registry }: MetricsService,
  ) {
    const count = (): number => this.allStreams().length;
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
    const ended = this.allStreams().map((stream) => once(stream, 'close'));
    for (const stream of this.allStreams()) stream.complete();
    await Promise.race([Promise.all(ended), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /**
   * Nest destroys the stream when the response is closed.
   *
   * @throws CallNotFound, TooManyRequests
   */
  async openStream({ lastEventId, from, ...options }: LiveEventSubscription): Promise<StreamableFile> {
    const stream = this.add(
      new LiveEventStream({ ...options, read: (scope, after, newest) => this.read(scope, after, newest) }),
    );
    try {
      const { callId, accountId } = options;
      const progress = callId === null ? 'runs' : await this.events.findCallProgress(accountId, callId);
      if (progress === null) throw new CallNotFound();
      const sendsPosition = from === 'now' && !lastEventId;
      const after = sendsPosition
        ? await this.events.findNewestInScope(options)
        : await this.findPosition(options, lastEventId);
      const counters = await options.counters?.();
      stream.startAfter(after, { isCallOver: progress === 'final', counters, sendsPosition });
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
    if (own.size >= MAX_LIVE_STREAMS) throw new TooManyRequests(RETRY_SECONDS);
    this.streams.set(accountId, own.add(stream));
    stream.once('close', () => {
      own.delete(stream);
      if (own.size === 0 && this.streams.get(accountId) === own) this.streams.delete(accountId);
    });
    return stream;
  }

  /** 0, the beginning, for the id of an event that is not in the stream or not kept. */
  private async findPosition(scope: LiveEventScope, lastEventId = ''): Promise<number> {
    const seq = /^[1-9]\d{0,14}$/.test(lastEventId) ? Number(lastEventId) : 0;
    return seq > 0 && (await this.events.isEventAvailable(scope, seq)) ? seq : 0;
  }

  /** Uses the connection quota of the account. */
  private read(scope: LiveEventScope, after: number, newest: number): Promise<NumberedEvent[]> {
    const key = `${scope.accountId} ${scope.callId} ${scope.campaignId} ${after} ${newest}`;
    const running = this.reads.get(key);
    if (running) return running;
    const started = withConnectionQuota(scope.accountId, () =>
      this.events.readEvents(scope, after, newest),
    ).finally(() => this.reads.delete(key));
    this.reads.set(key, started);
    return started;
  }

  private async poll(): Promise<void> {
    const accounts = [...this.streams.keys()];
    if (accounts.length === 0) return;
    for (const [accountId, newest] of await this.events.findNewestByAccount(accounts)) {
      for (const stream of this.streams.get(accountId) ?? []) stream.readUpTo(newest);
    }
  }

  /** Readers of one campaign share its counters. */
  private async sendCounters(): Promise<void> {
    const queries = new Map<number, Promise<object | null>>();
    await Promise.all(
      this.allStreams().map(async (stream) => {
        const { accountId, campaignId, counters } = stream.options;
        if (!counters || !campaignId) return;
        const query = queries.get(campaignId) ?? withConnectionQuota(accountId, counters);
        queries.set(campaignId, query);
        const now = await query;
        if (now === null) stream.complete();
        else stream.sendCounters(now);
      }),
    );
  }

  private async closeUnauthorized(): Promise<void> {
    const streams = this.allStreams();
    if (streams.length === 0) return;
    const callIds = streams.flatMap(({ options: { callId } }) => callId ?? []);
    const [permitted, shown] = await Promise.all([
      this.tokens.findPermitted(streams.map(({ options }) => options.user)),
      this.events.findUndeletedCallIds([...new Set(callIds)]),
    ]);
    for (const stream of streams) {
      const { user, callId } = stream.options;
      if (!permitted.has(user) || (callId !== null && !shown.has(callId))) stream.complete();
    }
  }

  private allStreams(): LiveEventStream[] {
    return [...this.streams.values()].flatMap((own) => [...own]);
  }

  private warnAbout(what: string): (error: unknown) => void {
    return (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn(`${what} live events failed; trying again`, describeError(error));
    };
  }
}
