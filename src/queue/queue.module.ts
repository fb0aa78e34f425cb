import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { InProcessQueueService } from './in-process-queue.service.js';
import { JobQueue } from './job-queue.js';
import { SeenDatabaseService } from './seen-database.service.js';
import { QueueRunnerService } from './queue-runner.service.js';

@Module({})
export class QueueModule {
  /** Bull and its client are loaded only where there is a Redis: they take about 100 ms of a start. */
  static async forRoot({
    redisUrl,
    instanceId,
  }: Pick<RuntimeSettings, 'redisUrl' | 'instanceId'>): Promise<DynamicModule> {
    if (redisUrl === null) return moduleWith({ provide: JobQueue, useClass: InProcessQueueService });
    const { BULL_QUEUE, bullModules } = await import('./bull-modules.js');
    return moduleWith(BULL_QUEUE, bullModules(redisUrl, instanceId));
  }
}

const moduleWith = (queue: Provider, imports: DynamicModule[] = []): DynamicModule => ({
  module: QueueModule,
  global: true,
  imports: [DiscoveryModule, ...imports],
  providers: [queue, QueueRunnerService, SeenDatabaseService],
  exports: [JobQueue],
});
