import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { runWithLogContext } from '#src/common/logging/log-context.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { ALL_JOB_KINDS, type JobKind, JOB_PROCESSOR, type RowProcessor, JobQueue } from './job-queue.js';
import { describeError } from '#src/common/errors/error-answer.js';

const RECONCILE_MS = 2_000;
const RECONCILE_LIMIT = 200;

/** Gives every job kind its processor, and finds the due rows that the queue does not know of. */
@Injectable()
export class QueueRunnerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueRunnerService.name);
  private readonly processors = new Map<JobKind, RowProcessor>();
  private timer: NodeJS.Timeout | null = null;
  private reconciling: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly queue: JobQueue,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.findProcessors();
    if (!runsJobs(this.settings)) return;
    await this.queue.start((kind, rowId) =>
      runWithLogContext({ job: kind, rowId }, () => this.process(kind, rowId)),
    );
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.reconciling;
    await this.queue.stop();
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

  /** A failure is the row's to remember; here it is told once, without the error's text, which may quote data. */
  private async process(kind: JobKind, rowId: string): Promise<void> {
    try {
      await this.processorOf(kind).process(rowId);
    } catch (error) {
      this.logger.error(`${kind} ${rowId} failed`, describeError(error));
      throw error;
    }
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.reconciling = this.reconcile().finally(() => {
        if (!this.stopped) this.schedule(RECONCILE_MS);
      });
    }, delayMs);
  }

  private async reconcile(): Promise<void> {
    for (const kind of ALL_JOB_KINDS) {
      try {
        for (const rowId of await this.processorOf(kind).due(RECONCILE_LIMIT))
          this.queue.enqueueOnce(kind, rowId);
      } catch (error) {
        this.logger.warn(`Looking for due rows of ${kind} failed`, describeError(error));
      }
    }
  }
}
