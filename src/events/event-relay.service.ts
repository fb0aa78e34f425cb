import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { inShareOf } from '#src/common/persistence/shared-pool.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventListenersService } from './event-listeners.service.js';
import { EventsRepository, MAX_ATTEMPTS, type ClaimedEvent } from './events.repository.js';
import { EventNotifierService } from './event-notifier.service.js';

const BATCH = 100;
/** Events of one account that a process claims at a time. */
const PER_ACCOUNT = 16;
const POLL_MS = 1_000;
const DATABASE_GONE_MS = 1_000;
/** Less than half of the lease. */
const KEEP_MS = 2_000;

/** Hands committed events to their listeners: woken by the database's notification, polling as fallback. */
@Injectable()
export class EventRelayService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRelayService.name);
  private listeners = new Map<string, ((event: ClaimedEvent) => Promise<void>)[]>();
  private readonly handover = new EventDispatcher(
    (event) => this.tell(event),
    (ids) => this.store.markHandled(ids),
    () => this.wakeUp.wake(),
  );
  private running: Promise<void> | null = null;
  private keeping: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly found: EventListenersService,
    private readonly store: EventsRepository,
    private readonly wakeUp: EventNotifierService,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    this.listeners = this.found.listenersOf();
    if (!runsJobs(this.settings)) return;
    this.wakeUp.start();
    this.running = inShareOf('jobs', () => this.run());
    this.keeping = setInterval(() => inShareOf('jobs', () => this.keep()), KEEP_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.wakeUp.stop();
    await this.running;
    await this.handover.stop();
    if (this.keeping) clearInterval(this.keeping);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const claimed = await this.claim().catch((error: unknown) => {
        if (!this.outage.report(error)) this.logger.warn('Handing events over failed', describeError(error));
        return -1;
      });
      if (claimed < 0) await this.wakeUp.wait(DATABASE_GONE_MS);
      // Fewer than one account may have: that was all.
      else if (claimed < PER_ACCOUNT) await this.wakeUp.wait(POLL_MS);
    }
  }

  /** @returns how many events were claimed. */
  private async claim(): Promise<number> {
    const limit = Math.min(BATCH, this.handover.room);
    if (limit === 0) return 0;
    const without = this.handover.full(PER_ACCOUNT);
    const events = await this.store.claimEvents({ limit, perAccount: PER_ACCOUNT, without });
    for (const event of events) this.handover.add(event);
    return events.length;
  }

  /** A listener that waits for a lock may outlast the lease. */
  private keep(): void {
    const ids = this.handover.olderThan(KEEP_MS);
    if (ids.length > 0) this.store.keep(ids).catch(() => undefined);
  }

  /** @returns whether all listeners took it. */
  private async tell(event: ClaimedEvent): Promise<boolean> {
    try {
      for (const listener of this.listeners.get(event.kind) ?? []) await listener(event);
      return true;
    } catch (error) {
      // It comes up again when its lease ends, and has failed no attempt of its own.
      if (this.outage.report(error)) return false;
      const reason = error instanceof Error ? error.message : 'unknown error';
      const verdict = event.attempts >= MAX_ATTEMPTS ? 'dead' : 'will be retried';
      this.logger.warn(
        `Event ${event.id} (${event.kind}) failed, ${verdict}`,
        error instanceof Error ? error.name : '',
      );
      await this.store.markFailed(event, reason);
      return false;
    }
  }
}
