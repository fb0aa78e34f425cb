import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RequestCounter, WINDOW_MS, type Usage } from './request-counter.js';

/** One command, so that no process can die between counting and limiting the key's life. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;

const COMMAND_TIMEOUT_MS = 250;
/** Milliseconds without use of Redis after a time-out, so that a hanging Redis delays few requests. */
const PAUSE_MS = 5_000;
const READY_TIMEOUT_MS = 1_000;

/** For a service of several processes: Redis counts and keeps the time for all of them. */
export class RedisCounter extends RequestCounter {
  private readonly logger = new Logger(RedisCounter.name);
  private readonly redis: Redis;
  private pausedUntil = 0;
  private toldThatItIsGone = false;

  constructor(url: string) {
    super();
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    this.redis.on('error', () => this.pause());
  }

  /** Ends when Redis answers, or after a second without it: a start does not depend on it. */
  async ready(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await once(this.redis, 'ready', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => undefined);
  }

  async count(key: string): Promise<Usage | null> {
    if (this.redis.status !== 'ready' || Date.now() < this.pausedUntil) return null;
    try {
      const [count, ttl] = (await this.redis.eval(COUNT, 1, `calls:rate:${key}`, WINDOW_MS)) as [
        number,
        number,
      ];
      this.tellReturn();
      return { count, resetMs: Math.max(0, ttl) };
    } catch {
      this.pause();
      return null;
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  private tellReturn(): void {
    if (!this.toldThatItIsGone) return;
    this.toldThatItIsGone = false;
    this.logger.log('Redis answers again: requests are limited');
  }

  private pause(): void {
    this.pausedUntil = Date.now() + PAUSE_MS;
    if (this.toldThatItIsGone) return;
    this.toldThatItIsGone = true;
    this.logger.warn('Redis does not answer: requests are not limited until it does');
  }
}
