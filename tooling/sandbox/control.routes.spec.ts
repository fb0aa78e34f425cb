import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './sandbox.fake.js';

const FROM = '+15005550025';
const TO = '+14155550100';

describe('calls from outside', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  async function control(method: 'POST' | 'PUT', path: string, body: object) {
    const response = await fetch(bench.sandbox.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const configure = () =>
    control('PUT', '/config', {
      voice_url: `${bench.service.url}/incoming`,
      status_callback: `${bench.service.url}/status`,
    });

  it('announces the call at the voice URL, and runs the response', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path === '/incoming' ? service.relayDocument({ welcomeGreeting: 'Hello, how can I help you?' }) : 204;
    await configure();
    const { body } = await control('POST', '/inbound', { from: FROM, to: TO });
    const announced = await service.webhook(({ path }) => path === '/incoming');
    expect(announced).toMatchObject({
      signed: true,
      params: { CallSid: body['sid'], From: FROM, To: TO, Direction: 'inbound', CallStatus: 'ringing' },
    });
    const setup = await service.frame(({ type }) => type === 'setup');
    expect(setup).toMatchObject({ direction: 'inbound', from: FROM, callSid: body['sid'] });
    const prompt = await service.frame(({ type }) => type === 'prompt');
    expect(prompt['voicePrompt']).toMatch(/order 4711/);
    await bench.rest('POST', `/Calls/${String(body['sid'])}.json`, { Status: 'completed' });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed', CallSid: body['sid'] });
    expect(await bench.journal()).toContainEqual(
      expect.objectContaining({ kind: 'inbound', sid: body['sid'], from: FROM, to: TO }),
    );
  });

  it.each(['', 'anonymous', 'Anonymous'])('announces a caller who withholds the number: %j', async (from) => {
    bench.service.answer = () => '<Response><Reject/></Response>';
    await configure();
    expect((await control('POST', '/inbound', { from, to: TO })).status).toBe(200);
    const announced = await bench.service.webhook(({ path }) => path === '/incoming');
    expect(announced).toMatchObject({ signed: true, params: { From: from } });
  });

  it('keeps a journal of each call', async () => {
    bench.service.answer = () => '<Response><Say>Nobody is here.</Say><Hangup/></Response>';
    await configure();
    const { body } = await control('POST', '/inbound', { from: FROM, to: TO });
    await control('POST', '/inbound', { from: FROM, to: TO });
    await bench.ending();
    const response = await fetch(`${bench.sandbox.url}/journal?sid=${String(body['sid'])}`);
    const journal = (await response.json()) as { kind: string; sid: string }[];
    expect(new Set(journal.map(({ sid }) => sid))).toEqual(new Set([body['sid']]));
    expect(journal).toContainEqual(
      expect.objectContaining({ kind: 'speech', who: 'assistant', text: 'Nobody is here.', whole: true }),
    );
  });

  it('lets the persona decide who calls', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path === '/incoming' ? service.relayDocument({ welcomeGreeting: 'Hello, how can I help you?' }) : 204;
    await configure();
    await control('POST', '/inbound', { from: FROM, to: TO, persona: 24 });
    const prompt = await service.frame(({ type }) => type === 'prompt');
    expect(prompt['voicePrompt']).toMatch(/never call me again/);
  });

  it('is refused by a rejection, without an answer', async () => {
    bench.service.answer = (path) =>
      path === '/incoming' ? '<Response><Reject reason="busy"/></Response>' : 204;
    await configure();
    await control('POST', '/inbound', { from: FROM, to: TO });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'busy', CallDuration: '0' });
  });

  it('fails without a valid response to the announcement', async () => {
    bench.service.answer = (path) => (path === '/incoming' ? 404 : 204);
    await configure();
    await control('POST', '/inbound', { from: FROM, to: TO });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'failed' });
  });

  it('requires a voice URL and numbers', async () => {
    expect((await control('POST', '/inbound', { from: FROM, to: TO })).status).toBe(409);
    expect((await control('POST', '/inbound', { from: 'x', to: TO })).status).toBe(400);
    expect((await control('PUT', '/config', { voice_url: 'ftp://x' })).status).toBe(400);
  });
});
