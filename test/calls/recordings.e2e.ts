import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { HANGS_UP } from '../factories/call.js';
import { Receiver } from '../support/receiver.js';
import { ask, Recordings, type RecordedCall } from '../support/recordings-bench.js';
import { openSecret } from '../support/secrets.js';
import { until } from '../support/until.js';

const [SLOW, BREAKS, UNSIZED, ELSEWHERE, PRIVATE, WHOLE] = ['60', '61', '62', '63', '64', '65'].map(
  (digits) => `+150055500${digits}`,
);
const HOUR = 3_600;
const hoursLeft = (url: string): number =>
  (Number(new URL(url).pathname.split('/').at(-1)?.split('.')[1]) - Date.now() / 1000) / HOUR;

describe('the recording of a call', () => {
  const recordings = Recordings.shared();
  let user: TestAccount;
  let call: RecordedCall;

  beforeAll(async () => {
    user = await recordings.account();
    call = await recordings.recordedCall(user);
  });

  afterAll(() => recordings.stop());
  // With a carrier that is away: recording-removal.long.e2e.ts.

  it('plays without a token, at an address of the service', async () => {
    expect(call.url.startsWith(`${recordings.url}/recordings/${call.id}.`)).toBe(true);
    expect(JSON.stringify(call.record)).not.toMatch(/2010-04-01|RE[0-9a-f]{32}/);
    const answer = await ask(call.url);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(call.audio)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(call.audio.length),
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="call-${call.id}.wav"`,
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"recording-\d+"$/),
    });
    const head = await ask(call.url, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'accept-ranges', 'etag'])
      expect(head.headers.get(name)).toBe(answer.headers.get(name));
    expect((await ask(call.url, { 'if-none-match': answer.headers.get('etag') ?? '' })).status).toBe(304);
  });

  it('plays in parts', async () => {
    const { length } = call.audio;
    const etag = (await ask(call.url, {}, 'HEAD')).headers.get('etag') ?? '';
    for (const [range, first, last] of [
      ['bytes=0-', 0, length - 1],
      ['bytes=100-199', 100, 199],
      ['bytes=-50', length - 50, length - 1],
      [`bytes=${length - 10}-${length + 10}`, length - 10, length - 1],
    ] as const) {
      const part = await ask(call.url, { range, 'if-range': etag });
      expect([range, part.status]).toEqual([range, 206]);
      expect(part.headers.get('content-range')).toBe(`bytes ${first}-${last}/${length}`);
      expect(part.headers.get('content-length')).toBe(String(last - first + 1));
      expect(part.bytes.equals(call.audio.subarray(first, last + 1))).toBe(true);
    }
    const ignored: Record<string, string>[] = [
      { range: 'bytes=5-1' },
      { range: 'lines=0-1' },
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
    ];
    for (const headers of ignored) expect((await ask(call.url, headers)).status).toBe(200);
    const outside = await ask(call.url, { range: `bytes=${length}-` });
    expect([outside.status, outside.json()]).toEqual([416, { message: 'Range Not Satisfiable' }]);
    expect(outside.headers.get('content-range')).toBe(`bytes */${length}`);
  });

  it('is reached through its call by its account only', async () => {
    const other = await recordings.account();
    const silent = await recordings.call(user, await anAssistant(user), HANGS_UP);
    const path = `/api/user/calls/${call.id}/recording`;
    const to = (token: string, at = path) =>
      fetch(recordings.url + at, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
    const redirect = await to(user.token);
    expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect((await ask(redirect.headers.get('location') ?? '')).bytes.equals(call.audio)).toBe(true);
    const foreign = await to(other.token);
    expect([foreign.status, await foreign.json()]).toEqual([404, { message: 'Call not found' }]);
    const without = await to(user.token, `/api/user/calls/${silent.id}/recording`);
    expect([without.status, await without.json()]).toEqual([404, { message: 'Recording not found' }]);
    expect(silent.record).not.toHaveProperty('recording_url');
  });

  it('is valid for a day in the API and for a week in webhooks', async () => {
    expect(hoursLeft(call.url)).toBeGreaterThan(23.9);
    expect(hoursLeft(call.url)).toBeLessThanOrEqual(25);
    const [request] = await call.webhooks(1);
    const sent = String(request?.body.recording_url);
    expect(hoursLeft(sent)).toBeGreaterThan(24 * 7 - 0.1);
    expect(hoursLeft(sent)).toBeLessThanOrEqual(24 * 7 + 1);
    expect((await ask(sent)).bytes.equals(call.audio)).toBe(true);
  });

  it('is refused with a link that is changed or has expired', async () => {
    const [, id = '', end = '', key = '', signature = ''] =
      /(\d+)\.(\d+)\.(\d+)\.([\w-]+)\.wav$/.exec(call.url) ?? [];
    const link = (...parts: unknown[]) => `${recordings.url}/recordings/${parts.join('.')}.wav`;
    const { rows } = await recordings.db.query<{ id: number; secret: string }>(
      'SELECT id, secret FROM recording_keys',
    );
    const place = { accountId: null, table: 'recording_keys', column: 'secret', row: rows[0]?.id ?? 0 };
    const secret = await openSecret(recordings.db, place, rows[0]?.secret ?? '');
    const signed = (expiry: number) =>
      createHmac('sha256', Buffer.from(secret, 'base64'))
        .update(`recording ${id} ${expiry}`)
        .digest('base64url');
    const other = signature.at(-2) === 'A' ? 'B' : 'A';
    for (const changed of [
      link(Number(id) + 1, end, key, signature),
      link(id, Number(end) + HOUR, key, signature),
      link(id, end, Number(key) + 1, signature),
      link(id, end, key, signature.slice(0, -2) + other + signature.slice(-1)),
      link(id, end, key, ''),
      link('1'.repeat(150)),
    ]) {
      const answer = await ask(changed);
      expect([changed, answer.status, answer.json()]).toEqual([
        changed,
        403,
        { message: 'The link to the recording is invalid.' },
      ]);
    }
    const past = Math.floor(Date.now() / 1000) - 1;
    const expired = await ask(link(id, past, key, signed(past)));
    expect([expired.status, expired.json()]).toEqual([
      403,
      { message: 'The link to the recording has expired.' },
    ]);
    // What is signed the same way, with its end in the future, plays.
    expect((await ask(link(id, past + HOUR, key, signed(past + HOUR)))).status).toBe(200);
  });

  it('of an address that an earlier version stored is fetched from the carrier only', async () => {
    const elsewhere = await Receiver.open();
    const store = (url: string) =>
      recordings.db.query('UPDATE recordings SET carrier_url = $2 WHERE call_id = $1', [call.id, url]);
    const path = new URL(call.carrierUrl).pathname;
    try {
      await store(`${elsewhere.url}${path}`);
      expect((await ask(call.url)).bytes.equals(call.audio)).toBe(true);
      await store(elsewhere.url);
      const answer = await ask(call.url);
      expect([answer.status, answer.json()]).toEqual([404, { message: 'Recording not found' }]);
      expect(elsewhere.received).toEqual([]);
    } finally {
      await store(call.carrierUrl);
      await elsewhere.close();
    }
  });

  it('plays in every way in which the carrier delivers it', async () => {
    const [broken, unsized, elsewhere, hidden, rangeless] = await Promise.all(
      [BREAKS, UNSIZED, ELSEWHERE, PRIVATE, WHOLE].map((number) => recordings.recordedCall(user, number)),
    );
    await expect(ask(broken?.url)).rejects.toThrow('terminated');
    const whole = await ask(unsized?.url, { range: 'bytes=0-9' });
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, null]);
    expect(whole.bytes.equals(unsized?.audio ?? whole.bytes.subarray(1))).toBe(true);
    const moved = await ask(elsewhere?.url, { range: 'bytes=-9' });
    expect([moved.status, moved.bytes]).toEqual([206, elsewhere?.audio.subarray(-9)]);
    for (const [range, first, last] of [
      ['bytes=9-4000', 9, 4_000],
      ['bytes=-9', -9, undefined],
    ] as const) {
      const cut = await ask(rangeless?.url, { range });
      expect([cut.status, cut.bytes.length, cut.headers.get('content-length')]).toEqual([
        206,
        last === undefined ? 9 : last - first + 1,
        String(cut.bytes.length),
      ]);
      expect(rangeless?.audio.subarray(first, last && last + 1).equals(cut.bytes)).toBe(true);
    }
    expect((await ask(rangeless?.url, { range: 'bytes=9999999-' })).status).toBe(416);
    const refused = await ask(hidden?.url);
    expect([refused.status, refused.json()]).toEqual([
      502,
      { message: 'The recording is not available at the moment. Please try again later.' },
    ]);
  });

  it('ends at the carrier when its player disconnects, and slow players delay only their own account', async () => {
    const slow = await recordings.recordedCall(user, SLOW);
    const other = await recordings.account();
    const theirs = await recordings.recordedCall(other);
    const players = new AbortController();
    const open = () => fetch(slow.url, { signal: players.signal });
    await Promise.all(Array.from({ length: 10 }, open));
    const waiting = Array.from({ length: 20 }, () => open().catch(() => null));
    await until(async () => (await ask(slow.url)).status === 429);
    expect((await ask(theirs.url)).bytes.equals(theirs.audio)).toBe(true);
    players.abort();
    await Promise.all(waiting);
    await until(async () => {
      const ended = (await recordings.journal(slow.sid)).filter(({ kind }) => kind === 'download');
      return ended.filter(({ whole }) => whole === false).length >= 10;
    });
    expect((await ask(call.url)).status).toBe(200);
  });

  it('is deleted with its call', async () => {
    const doomed = await recordings.recordedCall(user);
    expect((await ask(doomed.url)).bytes.equals(doomed.audio)).toBe(true);
    expect((await user.client.delete(`/user/calls/${doomed.id}`)).status).toBe(200);
    expect((await ask(doomed.url)).json()).toEqual({ message: 'Recording not found' });
    await until(async () => (await recordings.stateOf(doomed)) === null);
    expect((await recordings.fetchAtCarrier(doomed)).status).toBe(404);
    expect((await ask(call.url)).status).toBe(200);
  });
});
