import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { describeError } from '#src/common/errors/describe-error.js';
import { failSpan, runInSpan } from '#src/common/tracing/tracing.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { runInContext } from '#src/common/work-context.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
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

/** Runs a scheduler for every job kind, with its processor, and finds due rows that are not in the queue. */
@Injectable()
export class QueueRunnerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueRunnerService.name);
  private readonly processors = new Map<JobKind, RowProcessor>();
  private readonly schedulers = new Map<JobKind, FairScheduler>();
  private readonly reconciliations: Reconciliation[] = [];

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly queue: JobQueue,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly outage: DatabaseOutageService,
    private readonly gate: RestoreGateService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.findProcessors();
    if (!runsJobs(this.settings)) return;
    for (const kind of ALL_JOB_KINDS) this.open(kind);
    await this.queue.start((kind, row) => this.schedulers.get(kind)?.offerRow(row) ?? false);
    for (const reconciliation of this.reconciliations) reconciliation.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.reconciliations.map((reconciliation) => reconciliation.stop()));
    await this.queue.stop();
    await Promise.all([...this.schedulers.values()].map((scheduler) => scheduler.stop()));
  }

  /** @throws when a kind has no processor or two: the service must not start. */
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
    const reconciliation = new Reconciliation(
      {
        due: async (limit) =>
          this.gate.isHeld
            ? []
            : withConnectionQuota('jobs', () => this.processorOf(kind).findDueRows(limit)),
        offer: (row) => scheduler.offerRow(row),
        failed: (error) => {
          if (this.outage.reportOutage(error)) return;
          this.logger.warn(`Looking for due rows of ${kind} failed; trying again`, describeError(error));
        },
      },
      this.settings.dueRowsMs,
    );
    const scheduler = new FairScheduler(
      JOB_KINDS[kind],
      (row) =>
        runInContext({ ids: { job: kind, rowId: String(row.id) }, owner: 'jobs', actor: undefined }, () =>
          this.process(kind, row),
        ),
      () => {
        if (scheduler.hasFreeSlot) reconciliation.onCapacity();
      },
    );
    this.schedulers.set(kind, scheduler);
    this.reconciliations.push(reconciliation);
  }

  /** The row stores its failures; they are only logged here, without texts of errors that may quote data. */
  private async process(kind: JobKind, row: JobRow): Promise<void> {
    if (this.gate.isHeld) return;
    const id = String(row.id);
    return runInSpan(`job ${kind}`, { root: true, attributes: { 'job.row_id': id } }, async (span) => {
      try {
        const result = await this.processorOf(kind).process(id);
        if (result === 'again') this.schedulers.get(kind)?.offerRow(row);
      } catch (error) {
        failSpan(span, error instanceof Error ? error.name : 'error');
        if (!this.outage.reportOutage(error))
          this.logger.error(
            `Job ${kind} of row ${id} failed; the row is processed again when it is due`,
            describeError(error),
          );
      }
    });
  }
}
