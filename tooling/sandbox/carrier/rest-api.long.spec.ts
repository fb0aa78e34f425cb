import { mkdtempSync, appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SANDBOX_ACCOUNT_SID } from '../defaults.js';
import { Bench } from '../sandbox.fake.js';

describe('the carrier over REST', () => {
  let bench: Bench;
  let folder: string;
  let journalFile: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    journalFile = join(folder, 'data', 'journal.jsonl');
    bench = await Bench.start({ journalFile });
  });
  afterEach(async () => {
    await bench.stop();
    rmSync(folder, { recursive: true });
  });

  const sms = (digits: string, body = 'Hello') =>
    bench.rest('POST', '/Messages.json', {
      To: `+1500555${digits}`,
      From: '+14155550100',
      Body: body,
      StatusCallback: `${bench.service.url}/sms/token-1`,
    });

  it('refuses requests without the account', async () => {
    const url = `${bench.sandbox.url}/2010-04-01/Accounts/${SANDBOX_ACCOUNT_SID}/Calls.json`;
    const response = await fetch(url, { headers: { authorization: 'Basic bm86bm8=' } });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      code: 20003,
      message: 'Authenticate',
      more_info: 'https://www.twilio.com/docs/errors/20003',
      status: 401,
    });
  });

  it.each([
    ['no number', { To: '' }, 21201],
    ['a number that is none', { To: 'nonsense' }, 21211],
    ['the invalid number of the table', { To: '+15005550001' }, 21211],
    ['a caller that is none', { From: '4711' }, 21212],
    ['no instructions', { Url: '' }, 21205],
    ['instructions that are no URL', { Url: 'not a url' }, 21205],
    ['a time limit that is no number', { TimeLimit: 'long' }, 20001],
  ])('refuses a call with %s, and nothing rings', async (_case, form, code) => {
    expect(await bench.call('0020', form)).toMatchObject({ status: 400, body: { code, status: 400 } });
    expect(await bench.journal()).toEqual([]);
  });

  it('returns 404 for unknown calls', async () => {
    for (const path of [
      '/Calls/CA0.json',
      '/Messages/SM0.json',
      '/Calls/CA0/Recordings.json',
      '/Nothing.json',
    ]) {
      expect(await bench.rest('GET', path)).toMatchObject({ status: 404, body: { code: 20404 } });
    }
  });

  it('lists calls page by page, newest first, by number, status and start', async () => {
    for (const digits of ['0003', '0022', '0003', '0003']) await bench.call(digits);
    const page = await bench.rest('GET', '/Calls.json?To=%2B15005550003&PageSize=2');
    expect(page.body).toMatchObject({ page: 0, page_size: 2, start: 0, end: 1, previous_page_uri: null });
    const next = String(page.body['next_page_uri']).split(SANDBOX_ACCOUNT_SID)[1] ?? '';
    expect(next).toContain('To=%2B15005550003');
    const rest = await bench.rest('GET', next);
    const calls = [page, rest].flatMap(({ body }) => body['calls'] as { sid: string; to: string }[]);
    expect(calls.map(({ to }) => to)).toEqual(Array(3).fill('+15005550003'));
    expect(new Set(calls.map(({ sid }) => sid)).size).toBe(3);
    expect(rest.body['next_page_uri']).toBeNull();

    const count = async (query: string) =>
      ((await bench.rest('GET', `/Calls.json?${query}`)).body['calls'] as unknown[]).length;
    const hour = 60 * 60 * 1000;
    const at = (offset: number) => encodeURIComponent(new Date(Date.now() + offset).toISOString());
    expect(await count(`StartTime>=${at(-hour)}`)).toBe(4);
    expect(await count(`StartTime>=${at(hour)}`)).toBe(0);
    expect(await count('Status=canceled')).toBe(0);
  });

  it.each([
    ['0006', 'delivered', undefined],
    ['0007', 'undelivered', '30003'],
  ])('accepts a message to %s, which ends as %s', async (digits, status, errorCode) => {
    const { service } = bench;
    const accepted = await sms(digits, ' Grüße 👋 ');
    expect(accepted).toMatchObject({
      status: 201,
      body: { status: 'queued', body: ' Grüße 👋 ', num_segments: '1', price: null, error_code: null },
    });
    const last = await service.webhook(({ params }) => params['MessageStatus'] === status);
    expect(last).toMatchObject({ signed: true, params: { MessageSid: accepted.body['sid'] } });
    expect(last.params['ErrorCode']).toBe(errorCode);
    const told = service.webhooks.map(({ params }) => params['MessageStatus']);
    expect(told).toEqual(['sent', status]);
    const read = await bench.rest('GET', `/Messages/${String(accepted.body['sid'])}.json`);
    expect(read.body).toMatchObject({ status, price: '-0.00790', error_code: errorCode ? 30003 : null });
    const list = await bench.rest('GET', `/Messages.json?To=%2B1500555${digits}`);
    expect(list.body['messages']).toEqual([read.body]);
  });

  it.each([
    ['0001', 400, 21211],
    ['0008', 500, 20500],
    ['0009', 400, 21614],
  ])('refuses a message to %s with %s and code %s', async (digits, status, code) => {
    expect(await sms(digits)).toMatchObject({ status, body: { code } });
    expect(await bench.journal()).toEqual([]);
  });

  it('places a call and sends a message whose responses are lost (0010)', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? '<Response><Hangup/></Response>' : 204);
    const [lostCall, lostMessage] = [bench.call('0010'), sms('0010')];
    const answered = Promise.race([lostCall, lostMessage]).then(
      () => true,
      () => false,
    );
    await service.webhook(({ params }) => params['CallStatus'] === 'completed');
    await service.webhook(({ params }) => params['MessageStatus'] === 'delivered');
    const found = await bench.rest('GET', '/Calls.json?To=%2B15005550010');
    expect(found.body['calls']).toHaveLength(1);
    // Stopping the sandbox breaks the waiting connections.
    await bench.stop();
    expect(await answered).toBe(false);
    await Promise.allSettled([lostCall, lostMessage]);
    bench = await Bench.start({ journalFile });
  });

  it('keeps its journal for the next process, also after an incomplete line', async () => {
    await sms('0006');
    await bench.call('0003');
    await bench.stop();
    appendFileSync(journalFile, '{"at":"2026-01-01T00:00:');
    bench = await Bench.start({ journalFile });
    await bench.call('0004');
    const told = (await bench.journal()).filter(({ kind }) => kind !== 'callback');
    expect(told).toMatchObject([
      { kind: 'message', from: '+14155550100', to: '+15005550006' },
      { kind: 'dial', from: '+14155550100', to: '+15005550003' },
      { kind: 'dial', to: '+15005550004' },
    ]);
    expect(told[1]).toHaveProperty('sid', expect.stringMatching(/^CA/));
  });
});
