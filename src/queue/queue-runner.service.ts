import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { describeError } from '#src/common/errors/describe-error.js';
import { runWithLogContext } from '#src/common/logging/log-context.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { inShareOf } from '#src/common/persistence/shared-pool.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { FairScheduler } from '#src/common/fairness/fair-scheduler.js';
import {
  ALL_JOB_KINDS,
  JOB_KINDS,
  type JobKind,
  JOB_PROCESSOR,
  type RowProcessor,
  JobQueue,
  type JobRow,
} from './job-queue.js';
import { Reconciliation } from './reconciliation.js';

/** Gives every job kind its processor and its places, and finds the due rows that the queue does not know of. */
@Injectable()
export class QueueRunnerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueRunnerService.name);
  private readonly processors = new Map<JobKind, RowProcessor>();
  private readonly lanes = new Map<JobKind, FairScheduler>();
  private readonly reconciliations: Reconciliation[] = [];

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly queue: JobQueue,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly outage: DatabaseOutageService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.findProcessors();
    if (!runsJobs(this.settings)) return;
    for (const kind of ALL_JOB_KINDS) this.open(kind);
    await this.queue.start((kind, row) => void this.lanes.get(kind)?.offer(row));
    for (const reconciliation of this.reconciliations) reconciliation.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.reconciliations.map((reconciliation) => reconciliation.stop()));
    await this.queue.stop();
    await Promise.all([...this.lanes.values()].map((lane) => lane.stop()));
  }

  /** @throws when a kind has no processor or two: such a service must not start. */
  private findProcessors(): void {
    for (const { metatype, instance } of this.discovery.getProviders()) {
      const kind = metatype && this.reflector.get<JobKind | undefined>(JOB_PROCESSOR, metatype);
      if (!kind) continue;
      if (this.processors.has(kind)) throw new Error(`Job kind ${kind} has two processors`);
      this.processors.set(kind, instance as RowProcessor);
    }
    ALL_JOB_KINDS.forEach((kind) => this.processorOf(kind));
  }

  private processorOf(kind: JobKind): RowProcessor {
    const processor = this.processors.get(kind);
    if (!processor) throw new Error(`Job kind ${kind} has no processor`);
    return processor;
  }

  private open(kind: JobKind): void {
    const reconciliation = new Reconciliation({
      due: (limit) => inShareOf('jobs', () => this.processorOf(kind).due(limit)),
      offer: (row) => lane.offer(row),
      failed: (error) => {
        if (this.outage.report(error)) return;
        this.logger.warn(`Looking for due rows of ${kind} failed`, describeError(error));
      },
    });
    const lane = new FairScheduler(
      JOB_KINDS[kind],
      (row) =>
        runWithLogContext({ job: kind, rowId: String(row.id) }, () =>
          inShareOf('jobs', () => this.process(kind, row)),
        ),
      () => {
        if (lane.hasRoom) reconciliation.roomIsFree();
      },
    );
    this.lanes.set(kind, lane);
    this.reconciliations.push(reconciliation);
  }

  /** A failure is the row's to remember; here it is told once, without the error's text, which may quote data. */
  private async process(kind: JobKind, row: JobRow): Promise<void> {
    const id = String(row.id);
    try {
      const result = await this.processorOf(kind).process(id);
      if (result === 'again') this.lanes.get(kind)?.offer(row);
    } catch (error) {
      if (!this.outage.report(error)) this.logger.error(`${kind} ${id} failed`, describeError(error));
    }
  }
}
