import { type RedisOptions, Redis } from 'ioredis';

/** A command that Redis does not answer in this time has failed; only for connections that never block. */
const COMMAND_TIMEOUT_MS = 2_000;

export function redisOptions(kind: 'client' | 'subscriber' | 'bclient'): RedisOptions {
  return {
    // Bull's own connections wait for as long as it takes; requests never wait for them.
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    // Late responses to it, after the connection broke, make ioredis think it is connected, and it never reconnects.
    disableClientInfo: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    ...(kind === 'client' ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
  };
}

const TIMEOUT_MS = 3_000;

/**
 * Fields of Redis' `INFO`, e.g. `redis_version` or `aof_enabled`.
 * @throws without a response within three seconds, or if authentication fails
 */
export async function inspectRedis(url: string): Promise<ReadonlyMap<string, string>> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let refusal: unknown = null;
  redis.on('error', (error) => (refusal ??= error));
  try {
    await redis.connect();
    const lines = (await redis.info()).split('\r\n').map((line) => line.split(':'));
    return new Map(lines.map(([name = '', value = '']) => [name, value]));
  } catch (error) {
    // The command's error is only that the connection was closed.
    throw refusal ?? error;
  } finally {
    redis.disconnect();
  }
}
