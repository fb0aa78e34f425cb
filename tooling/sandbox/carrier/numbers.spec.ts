import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';

describe('numbers of the carrier', () => {
  let bench: Bench;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    bench = await Bench.start({ journalFile: join(folder, 'journal.jsonl') });
  });
  afterEach(async () => {
    await bench.stop();
    rmSync(folder, { recursive: true });
  });

  const buy = (PhoneNumber: string, urls: Record<string, string> = {}) =>
    bench.rest('POST', '/IncomingPhoneNumbers.json', { PhoneNumber, ...urls });
  const listed = async (query = ''): Promise<unknown[]> => {
    const { body } = await bench.rest('GET', `/IncomingPhoneNumbers.json${query}`);
    return (body['incoming_phone_numbers'] as { phone_number: string }[]).map((one) => one.phone_number);
  };
  const forSale = async (path: string): Promise<string[]> => {
    const { body } = await bench.rest('GET', `/AvailablePhoneNumbers/${path}`);
    return (body['available_phone_numbers'] as { phone_number: string }[]).map((one) => one.phone_number);
  };

  it('are for sale by country, type and pattern, until they are bought', async () => {
    const [number = ''] = await forSale('US/Local.json?Contains=%2B1415&PageSize=3');
    expect(number).toMatch(/^\+1415\d{7}$/);
    expect(await forSale('US/Local.json?Contains=9001$')).toHaveLength(3);
    expect((await buy(number)).status).toBe(201);
    expect(await forSale('US/Local.json')).not.toContain(number);
    expect((await bench.rest('GET', '/AvailablePhoneNumbers/FR/Local.json')).body['code']).toBe(20404);
  });

  it('are sold once, and again after they are released', async () => {
    const { body } = await buy('+14152345678');
    expect((await buy('+14152345678')).body).toMatchObject({ code: 21422, status: 400 });
    expect(await listed('?PhoneNumber=%2B1415234')).toEqual(['+14152345678']);
    const path = `/IncomingPhoneNumbers/${body['sid']}.json`;
    expect((await bench.rest('DELETE', path)).status).toBe(204);
    expect((await bench.rest('DELETE', path)).status).toBe(404);
    expect((await buy('+14152345678')).status).toBe(201);
  });

  it.each([
    ['+1415', 21421],
    ['+33123456789', 21422],
    ['+14152349001', 21422],
    ['+14152349002', 21631],
    ['+14152349005', 20500],
    ['+14152349006', 20429],
  ])('refuse %s with %i', async (number, code) => {
    expect((await buy(number)).body).toMatchObject({ code });
    expect(await listed()).toEqual([]);
  });

  it('may be bought although the response reports a failure', async () => {
    expect((await buy('+14152349004')).body).toMatchObject({ code: 20500 });
    expect(await listed()).toEqual(['+14152349004']);
  });

  it('route calls to their own address, also after a restart', async () => {
    const urls = { VoiceUrl: `${bench.service.url}/mine`, StatusCallback: `${bench.service.url}/over` };
    await buy('+14152345678', urls);
    await bench.restart({ journalFile: join(folder, 'journal.jsonl') });
    bench.service.answer = (path) => (path.startsWith('/mine') ? '<Response><Hangup/></Response>' : 204);
    const body = JSON.stringify({ from: '+14155550123', to: '+14152345678' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${bench.sandbox.url}/inbound`, { method: 'POST', headers, body });
    const { params } = await bench.service.webhook(({ path }) => path.startsWith('/over'));
    expect(params).toMatchObject({ To: '+14152345678', CallStatus: 'completed' });
  });
});
