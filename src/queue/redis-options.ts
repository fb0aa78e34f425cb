import type { RedisOptions } from 'ioredis';

/** A command that Redis does not answer in this time has failed; only for connections that never block. */
const COMMAND_TIMEOUT_MS = 2_000;

export function redisOptions(kind: 'client' | 'subscriber' | 'bclient'): RedisOptions {
  return {
    // Bull's own connections wait for as long as it takes; requests never wait for them.
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    // Answers to it that come after the connection broke make ioredis think it is connected, and it never reconnects.
    disableClientInfo: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    ...(kind === 'client' ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
  };
}
