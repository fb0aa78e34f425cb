import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { Redis } from 'ioredis';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { BullQueue, type BullRows } from './bull-queue.js';
import { InProcessQueue } from './in-process-queue.js';
import { ALL_JOB_KINDS } from './job-kinds.js';
import { JobQueue } from './job-queue.js';
import { QueueRunner } from './queue-runner.js';
import { redisOptions } from './redis-options.js';

const BULL_QUEUE: Provider = {
  provide: JobQueue,
  inject: ALL_JOB_KINDS.map((kind) => getQueueToken(kind)),
  useFactory: (...queues: BullRows[]) => new BullQueue(queues),
};

@Module({})
export class QueueModule {
  static with({ redisUrl, installation }: Pick<RuntimeSettings, 'redisUrl' | 'installation'>): DynamicModule {
    const bull = redisUrl === null ? [] : bullModules(redisUrl, installation);
    const queue: Provider = redisUrl === null ? { provide: JobQueue, useClass: InProcessQueue } : BULL_QUEUE;
    return {
      module: QueueModule,
      global: true,
      imports: [DiscoveryModule, ...bull],
      providers: [queue, QueueRunner],
      exports: [JobQueue],
    };
  }
}

function bullModules(redisUrl: string, installation: string): DynamicModule[] {
  const connect = (kind: 'client' | 'subscriber' | 'bclient'): Redis =>
    // Its errors are the queue's errors too, and told there.
    new Redis(redisUrl, redisOptions(kind)).on('error', () => undefined);
  // One pair of connections for all queues; Bull asks for a blocking one per queue besides.
  const shared = { client: connect('client'), subscriber: connect('subscriber') };
  const createClient = (kind: 'client' | 'subscriber' | 'bclient'): Redis =>
    kind === 'bclient' ? connect(kind) : shared[kind];
  return [
    BullModule.forRoot({ createClient, prefix: `calls:${installation}` }),
    BullModule.registerQueue(...ALL_JOB_KINDS.map((name) => ({ name }))),
  ];
}
