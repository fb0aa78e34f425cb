import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { describeError } from '#src/common/errors/describe-error.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EVENT_LISTENER, type DomainEvent } from './event-type.js';
import { EventsRepository, MAX_EVENT_ATTEMPTS, type ClaimedEvent } from './events.repository.js';
import { EventNotifierService } from './event-notifier.service.js';

const BATCH = 256;
/** Events of one account that a process claims at a time. */
const PER_ACCOUNT = 64;
const POLL_MS = 1_000;
const DATABASE_GONE_MS = 1_000;
/** Less than half of the lease. */
const KEEP_MS = 2_000;

type Listener = (event: DomainEvent) => Promise<void>;

/** Finds the methods marked with `@OnDomainEvent`. */
@Injectable()
export class EventListenersService {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  findListeners(): Map<string, Listener[]> {
    const found = new Map<string, Listener[]>();
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, Listener>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const method = methods[name];
        const kind = method && this.reflector.get<string | undefined>(EVENT_LISTENER, method);
        if (method && kind) found.set(kind, [...(found.get(kind) ?? []), method.bind(instance)]);
      }
    }
    return found;
  }
}

/** Hands committed events to their listeners: woken by the database's notification, polling as fallback. */
@Injectable()
export class EventRelayService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRelayService.name);
  private listeners = new Map<string, Listener[]>();
  private readonly handover = new EventDispatcher(
    (event) => this.tell(event),
    (ids) => this.events.markHandled(ids),
    () => this.notifier.notify(),
  );
  private running: Promise<void> | null = null;
  private keeping: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly eventListeners: EventListenersService,
    private readonly events: EventsRepository,
    private readonly notifier: EventNotifierService,
    private readonly outage: DatabaseOutageService,
    private readonly gate: RestoreGateService,
  ) {}

  onApplicationBootstrap(): void {
    this.listeners = this.eventListeners.findListeners();
    if (!runsJobs(this.settings)) return;
    this.notifier.start();
    this.running = withConnectionQuota('jobs', () => this.run());
    this.keeping = setInterval(() => withConnectionQuota('jobs', () => this.keep()), KEEP_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.notifier.stop();
    await this.running;
    await this.handover.stop();
    if (this.keeping) clearInterval(this.keeping);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const claimed = await this.claim().catch((error: unknown) => {
        if (!this.outage.reportOutage(error))
          this.logger.warn(
            'Events were not handed over to their listeners; trying again',
            describeError(error),
          );
        return -1;
      });
      if (claimed < 0) await this.notifier.waitForEvent(DATABASE_GONE_MS);
      // Fewer than one account may have: that was all.
      else if (claimed < PER_ACCOUNT) await this.notifier.waitForEvent(POLL_MS);
    }
  }

  /** @returns how many events were claimed. */
  private async claim(): Promise<number> {
    if (this.gate.isHeld) return 0;
    const limit = Math.min(BATCH, this.handover.capacity);
    if (limit === 0) return 0;
    const without = this.handover.accountsAtLimit(PER_ACCOUNT);
    const events = await this.events.claimEvents({ limit, perAccount: PER_ACCOUNT, without });
    for (const event of events) this.handover.add(event);
    return events.length;
  }

  /** Extends leases: a listener that waits for a lock may take longer. */
  private keep(): void {
    const held = this.handover.findHeldLongerThan(KEEP_MS);
    if (held.length > 0) this.events.renewEvents(held).catch(() => undefined);
  }

  /** @returns whether all listeners took it. */
  private async tell(event: ClaimedEvent): Promise<boolean> {
    try {
      for (const listener of this.listeners.get(event.kind) ?? []) await listener(event);
      return true;
    } catch (error) {
      // Not counted as an attempt; the event is claimed again when its lease expires.
      if (this.outage.reportOutage(error)) return false;
      const reason = error instanceof Error ? error.message : 'unknown error';
      const verdict = event.claim >= MAX_EVENT_ATTEMPTS ? 'dead' : 'will be retried';
      this.logger.warn(
        `Event ${event.id} (${event.kind}) failed, ${verdict}`,
        error instanceof Error ? error.name : '',
      );
      await this.events.markFailed(event, reason);
      return false;
    }
  }
}
