import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { EventListenersService } from './event-listeners.service.js';
import { EventsRepository, MAX_ATTEMPTS, type ClaimedEvent } from './events.repository.js';
import { EventNotifierService } from './event-notifier.service.js';

const BATCH = 100;
const POLL_MS = 1_000;
const DATABASE_GONE_MS = 1_000;

/** Hands committed events to their listeners: woken by the database's notification, polling as fallback. */
@Injectable()
export class EventRelayService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRelayService.name);
  private listeners = new Map<string, ((event: ClaimedEvent) => Promise<void>)[]>();
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly found: EventListenersService,
    private readonly store: EventsRepository,
    private readonly wakeUp: EventNotifierService,
  ) {}

  onApplicationBootstrap(): void {
    this.listeners = this.found.listenersOf();
    if (!runsJobs(this.settings)) return;
    this.wakeUp.start();
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.wakeUp.stop();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const claimed = await this.handOverBatch().catch(() => -1);
      if (claimed < 0) await this.wakeUp.wait(DATABASE_GONE_MS);
      else if (claimed < BATCH) await this.wakeUp.wait(POLL_MS);
    }
  }

  /** @returns how many events were claimed. */
  private async handOverBatch(): Promise<number> {
    const events = await this.store.claimEvents(BATCH);
    if (events.length === 0) return 0;
    const outcomes = await Promise.all(events.map((event) => this.handOver(event)));
    const done = events.filter((_, index) => outcomes[index]).map((event) => event.id);
    if (done.length > 0) await this.store.markHandled(done);
    return events.length;
  }

  private async handOver(event: ClaimedEvent): Promise<boolean> {
    try {
      for (const listener of this.listeners.get(event.kind) ?? []) await listener(event);
      return true;
    } catch (error) {
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
