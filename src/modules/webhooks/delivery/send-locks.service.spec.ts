import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantsService } from '../../assistants/assistants.service.js';
import { LockSession, SendLocksService } from './send-locks.service.js';

const ASSISTANT = 3;
const SHARED_MS = 250;

/** Locks on a session that grants each at once; `url` is what the assistant has. */
function sendLocks() {
  const seen = { url: 'https://old.example.com', locked: 0, stop: (_assistantId: number): void => undefined };
  jest.spyOn(LockSession, 'open').mockImplementation(async (_url, { onStop }) => {
    seen.stop = onStop;
    return {
      lock: async () => void seen.locked++,
      unlock: () => void seen.locked--,
    } as unknown as LockSession;
  });
  const assistants = {
    webhooksOf: async (ids: number[]) => new Map(ids.map((id) => [id, { urls: { 'post-call': seen.url } }])),
  };
  const service = new SendLocksService(
    {} as RuntimeSettings,
    assistants as unknown as AssistantsService,
    {} as DatabaseOutageService,
  );
  return { service, seen };
}

describe('SendLocksService', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('shares a lock, and what was read under it, with requests that come soon', async () => {
    const { service, seen } = sendLocks();
    (await service.acquire(ASSISTANT)).release();
    seen.url = 'https://new.example.com';
    const permit = await service.acquire(ASSISTANT);
    expect(permit.targets).toEqual({ 'post-call': 'https://old.example.com' });
    expect(seen.locked).toBe(1);
  });

  it('gives a lock back at a stop, with the last request that shares it', async () => {
    const { service, seen } = sendLocks();
    const permit = await service.acquire(ASSISTANT);
    seen.stop(ASSISTANT);
    expect(permit.signal.aborted).toBe(true);
    expect(seen.locked).toBe(1);
    permit.release();
    expect(seen.locked).toBe(0);
  });

  it('reads again when the process stood still for longer than a lock is shared', async () => {
    const { service, seen } = sendLocks();
    (await service.acquire(ASSISTANT)).release();
    seen.url = 'https://new.example.com';
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + SHARED_MS);
    expect((await service.acquire(ASSISTANT)).targets).toEqual({ 'post-call': 'https://new.example.com' });
    expect(seen.locked).toBe(1);
  });
});
