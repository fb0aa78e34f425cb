import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';
import { rms } from '../speech/noise.js';
import { decodeMulaw } from '../speech/mulaw.js';
import { speechBytes } from '../speech/speech-code.js';
import { StreamListener } from '../stream-listener.fake.js';

const LINE = '/lines/+15005550024/traits';

describe('the traits of a line', () => {
  let bench: Bench;
  let assistant: StreamListener;

  beforeEach(async () => {
    bench = await Bench.start();
    assistant = new StreamListener(bench.service);
  });
  afterEach(() => bench.stop());

  async function control(method: string, body?: unknown) {
    const response = await fetch(bench.sandbox.url + LINE, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  async function call(traits: object, digits = '0024'): Promise<void> {
    expect((await control('PUT', traits)).status).toBe(200);
    bench.service.answer = (path) => (path.startsWith('/answer') ? assistant.document() : 204);
    await bench.call(digits);
    await assistant.untilStarted();
  }

  const heardFrames = () =>
    bench.service.frames
      .filter((frame) => frame['event'] === 'media')
      .map((frame) => Buffer.from(String(Object(frame['media']).payload), 'base64'));

  it('are set, shown and removed by number, and refused with the reason', async () => {
    const traits = { jitter_ms: 60, clock_drift: -2 };
    expect(await control('PUT', traits)).toMatchObject({ status: 200, body: traits });
    expect((await control('GET')).body).toMatchObject(traits);
    expect(await control('PUT', { jitter: 60 })).toEqual({
      status: 400,
      body: { message: 'traits has no jitter' },
    });
    expect((await control('GET')).body).toMatchObject(traits);
    expect((await control('DELETE')).status).toBe(204);
    expect((await control('GET')).body).toMatchObject({ jitter_ms: 0, clock_drift: 0 });
    const wrong = await fetch(`${bench.sandbox.url}/lines/0024/traits`, { method: 'PUT' });
    expect(wrong.status).toBe(400);
  });

  it('let the assistant hear the background between the words, and every word', async () => {
    await call({ background: [{ sound: 'car', level: -38 }], second_voice: { level: -45 } });
    assistant.play(speechBytes('Hello?', 2));
    await assistant.until(() => assistant.text.includes('call me again.'));
    assistant.play(speechBytes('Goodbye!', 2));
    await bench.ending();
    const [speech] = (await bench.journal()).filter(({ kind, who }) => kind === 'speech' && who === 'callee');
    expect(assistant.text).toBe(speech?.['text']);
    const levels = heardFrames().map((frame) => 20 * Math.log10(rms(decodeMulaw(frame)) / 32_768));
    expect(Math.min(...levels)).toBeGreaterThan(-50);
    expect(Math.min(...levels)).toBeLessThan(-38);
  });

  it('are those of one line: others stay silent', async () => {
    await call({ background: [{ sound: 'car', level: -38 }] }, '0022');
    await assistant.until(() => assistant.timestamps.length >= 20);
    expect(heardFrames().every((frame) => frame.every((byte) => byte === 0xff))).toBe(true);
  });

  it('stamp the frames of a slow and late telephone by the clock of the carrier', async () => {
    await call({ clock_drift: -2, jitter_ms: 60, bursts: { every_ms: 1_000, lasts_ms: 300 } });
    await assistant.until(() => assistant.timestamps.length >= 101);
    expect(assistant.timestamps.slice(0, 3)).toEqual([0, 20, 41]);
    expect(assistant.timestamps[100]).toBe(2_041);
    expect(assistant.timestamps).toEqual([...assistant.timestamps].sort((one, other) => one - other));
  });

  it('return marks twice, or never', async () => {
    await call({ marks: { late_ms: 100, doubled: 1 } });
    assistant.mark('only');
    await assistant.until(() => assistant.marks.length === 2);
    expect(assistant.marks).toEqual(['only', 'only']);
    const frames = bench.service.frames.map((frame) => frame['event']);
    expect(frames.lastIndexOf('mark') - frames.indexOf('mark')).toBeGreaterThan(1);
  });
});
