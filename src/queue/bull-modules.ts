import type { DynamicModule, Provider } from '@nestjs/common';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { Redis } from 'ioredis';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { BullQueueService, type BullRowQueue } from './bull-queue.service.js';
import { ALL_JOB_KINDS, JobQueue } from './job-queue.js';
import { redisOptions } from './redis-options.js';

const prefixOf = (instanceId: string): string => `calls:${instanceId}`;

export const BULL_QUEUE: Provider = {
  provide: JobQueue,
  inject: [RuntimeSettings, ...ALL_JOB_KINDS.map((kind) => getQueueToken(kind))],
  useFactory: ({ instanceId }: RuntimeSettings, ...queues: BullRowQueue[]) =>
    new BullQueueService(queues, `${prefixOf(instanceId)}:seen`),
};

export function bullModules(redisUrl: string, instanceId: string): DynamicModule[] {
  const connect = (kind: 'client' | 'subscriber' | 'bclient'): Redis =>
    // Its errors are the queue's errors too, and logged there. Every queue listens to a shared one: their number is no
    // leak.
    new Redis(redisUrl, redisOptions(kind)).setMaxListeners(0).on('error', () => undefined);
  // One pair of connections for all queues; Bull needs a blocking one per queue besides.
  const shared = { client: connect('client'), subscriber: connect('subscriber') };
  const createClient = (kind: 'client' | 'subscriber' | 'bclient'): Redis =>
    kind === 'bclient' ? connect(kind) : shared[kind];
  return [
    BullModule.forRoot({ createClient, prefix: prefixOf(instanceId) }),
    BullModule.registerQueue(...ALL_JOB_KINDS.map((name) => ({ name }))),
  ];
}
