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
import { EventListeners } from './event-listeners.js';
import { EventStore, MAX_ATTEMPTS, type ClaimedEvent } from './event-store.js';
import { EventWakeUp } from './event-wake-up.js';

const BATCH = 100;
const POLL_MS = 1_000;
const DATABASE_GONE_MS = 1_000;

/** Hands committed events to their listeners: woken by the database's notification, polling as fallback. */
@Injectable()
export class EventRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRelay.name);
  private listeners = new Map<string, ((event: ClaimedEvent) => Promise<void>)[]>();
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly found: EventListeners,
    private readonly store: EventStore,
    private readonly wakeUp: EventWakeUp,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    this.listeners = this.found.byKind();
    if (!runsJobs(this.settings)) return;
    this.wakeUp.start();
    this.running = inShareOf('jobs', () => this.run());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.wakeUp.stop();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const claimed = await this.handOverBatch().catch((error: unknown) => {
        if (!this.outage.report(error)) this.logger.warn('Handing events over failed', describeError(error));
        return -1;
      });
      if (claimed < 0) await this.wakeUp.wait(DATABASE_GONE_MS);
      else if (claimed < BATCH) await this.wakeUp.wait(POLL_MS);
    }
  }

  /** @returns how many events were claimed. */
  private async handOverBatch(): Promise<number> {
    const events = await this.store.claim(BATCH);
    if (events.length === 0) return 0;
    const outcomes = await Promise.all(events.map((event) => this.handOver(event)));
    const done = events.filter((_, index) => outcomes[index]).map((event) => event.id);
    if (done.length > 0) await this.store.done(done);
    return events.length;
  }

  private async handOver(event: ClaimedEvent): Promise<boolean> {
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
      await this.store.failed(event, reason);
      return false;
    }
  }
}
