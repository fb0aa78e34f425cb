import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Repository } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { RecordingKey } from './entities/recording.entities.js';
import type { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import type { SecretsService } from '#src/secrets/secrets.service.js';
import { RecordingLinksService } from './recording-links.service.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 31, 9, 30);
const CALL = { id: 42, recordingUrl: 'https://carrier.example.com/RE1' };

type Key = Pick<RecordingKey, 'id' | 'secret'>;

/** @param keys read again at every look, so that a test can add one */
async function linksWith(keys: Key[], urlTtlHours = 24) {
  const links = new RecordingLinksService(
    partialFake<Repository<RecordingKey>>({ find: async () => keys as RecordingKey[] }),
    {
      recordings: { urlTtlHours },
      http: { publicUrl: 'https://calls.example.com' },
    } as RuntimeSettings,
    partialFake<SecretsService>({ open: async (_place, stored) => stored }),
    partialFake<SealedColumnsService>({ register: () => undefined }),
  );
  await links.onModuleInit();
  return links;
}

const first = { id: 1, secret: Buffer.alloc(32, 1).toString('base64') };
const second = { id: 2, secret: Buffer.alloc(32, 2).toString('base64') };
const linkOf = (url: string | null): string => url?.split('/').at(-1) ?? '';

describe('links to recordings', () => {
  let links: RecordingLinksService;

  beforeEach(async () => {
    links = await linksWith([first]);
  });

  it('are the same within an hour, and valid for at least the time of the setting', async () => {
    const url = links.createLink(CALL, 'api', NOW);
    expect(url).toMatch(/^https:\/\/calls\.example\.com\/recordings\/42\.\d+\.1\.[\w-]{43}\.wav$/);
    expect(links.createLink(CALL, 'api', NOW + HOUR_MS / 3)).toBe(url);
    expect(links.createLink(CALL, 'api', NOW + HOUR_MS)).not.toBe(url);
    expect(await links.verifyLink(linkOf(url), NOW + 24 * HOUR_MS)).toBe(42);
    await expect(links.verifyLink(linkOf(url), NOW + 25 * HOUR_MS)).rejects.toThrow('has expired');
  });

  it('are valid seven times as long in webhooks', async () => {
    const short = await linksWith([first], 1);
    const link = linkOf(short.createLink(CALL, 'webhook', NOW));
    expect(await short.verifyLink(link, NOW + 7 * HOUR_MS)).toBe(42);
    await expect(short.verifyLink(link, NOW + 8 * HOUR_MS)).rejects.toThrow('has expired');
  });

  it('do not exist without a recording', () => {
    expect(links.createLink({ id: 42, recordingUrl: null }, 'api', NOW)).toBeNull();
  });

  it('of a process with a newer key are known to the others', async () => {
    const keys = [first];
    const older = await linksWith(keys);
    keys.push(second);
    const link = linkOf((await linksWith(keys)).createLink(CALL, 'api', NOW));
    expect(await older.verifyLink(link, NOW)).toBe(42);
  });

  it('cannot be signed without a key', async () => {
    await expect(linksWith([])).rejects.toThrow('recording_keys is empty');
  });

  it('stay valid when a new key signs, until their key is removed', async () => {
    const old = linkOf(links.createLink(CALL, 'api', NOW));
    const both = await linksWith([first, second]);
    expect(await both.verifyLink(old, NOW)).toBe(42);
    expect(linkOf(both.createLink(CALL, 'api', NOW))).toMatch(/^42\.\d+\.2\./);
    const later = await linksWith([second]);
    await expect(later.verifyLink(old, NOW)).rejects.toThrow('is invalid');
  });
});
