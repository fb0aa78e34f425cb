import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../defaults.js';
import { Bench } from '../sandbox.fake.js';

const BASIC = `Basic ${Buffer.from(`${SANDBOX_ACCOUNT_SID}:${SANDBOX_AUTH_TOKEN}`).toString('base64')}`;

describe('a recording at the carrier', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  /** A recorded call. @returns the URL of its recording */
  async function recorded(digits = '0023'): Promise<string> {
    const { service } = bench;
    const verb = `<Start><Recording recordingStatusCallback="${service.url}/recording/${digits}"/></Start>`;
    service.answer = (path) =>
      path.startsWith('/answer') ? `<Response>${verb}<Pause length="1"/><Hangup/></Response>` : 204;
    await bench.call(digits);
    const { params } = await service.webhook(({ path }) => path.startsWith(`/recording/${digits}`));
    return params['RecordingUrl'] ?? '';
  }

  const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url, { method, headers: { authorization: BASIC, ...headers } });

  it('is a WAV file of the length of the call, for the account only', async () => {
    const url = await recorded();
    expect((await fetch(url)).status).toBe(401);
    const answer = await ask(`${url}.wav`);
    const file = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toBe('audio/x-wav');
    expect(answer.headers.get('content-length')).toBe(String(file.length));
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(4)]).toEqual(['RIFF', file.length - 8]);
    expect(file.length).toBe(44 + file.readUInt32LE(40));
    expect(file.subarray(44).some((byte) => byte !== 0)).toBe(true);
    expect(Buffer.from(await (await ask(url)).arrayBuffer())).toEqual(file);
  });

  it('is sent in parts', async () => {
    const url = await recorded();
    const file = Buffer.from(await (await ask(url)).arrayBuffer());
    for (const [range, first, last] of [
      ['bytes=10-19', 10, 19],
      ['bytes=-8', file.length - 8, file.length - 1],
      [`bytes=${file.length - 4}-`, file.length - 4, file.length - 1],
    ] as const) {
      const answer = await ask(url, { range });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${file.length}`);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(file.subarray(first, last + 1));
    }
    expect((await ask(url, { range: `bytes=${file.length}-` })).status).toBe(416);
  });

  it('does not exist after it is deleted', async () => {
    const url = await recorded();
    expect((await fetch(`${url}.json`, { method: 'DELETE' })).status).toBe(401);
    expect((await ask(`${url}.json`, {}, 'DELETE')).status).toBe(204);
    expect((await ask(`${url}.json`, {}, 'DELETE')).status).toBe(404);
    expect((await ask(`${url}.wav`)).status).toBe(404);
    const kinds = (await bench.journal()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'recording-deletion')).toHaveLength(1);
  });

  it('breaks off, omits its length, or redirects, by the number of the callee', async () => {
    const broken = await ask(await recorded('0061'));
    await expect(broken.arrayBuffer()).rejects.toThrow('terminated');
    const unsized = await ask(await recorded('0062'), { range: 'bytes=0-9' });
    expect([unsized.status, unsized.headers.get('content-length')]).toEqual([200, null]);
    await unsized.body?.cancel();
    const elsewhere = await fetch(await recorded('0063'), {
      headers: { authorization: BASIC },
      redirect: 'manual',
    });
    expect(elsewhere.status).toBe(302);
    const stored = await fetch(new URL(elsewhere.headers.get('location') ?? '', bench.sandbox.url));
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
    await stored.body?.cancel();
  });
});
