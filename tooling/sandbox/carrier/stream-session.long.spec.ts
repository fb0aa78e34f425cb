import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeOnly } from '#src/common/time/fake-timers.fake.js';
import { Bench } from '../sandbox.fake.js';
import { encodeMulaw } from '../speech/mulaw.js';
import { speechBytes } from '../speech/speech-code.js';
import { ClockSpeed } from '../clock-speed.js';
import { StreamListener } from '../stream-listener.fake.js';
import { NO_TRAITS } from '../traits/line-traits.js';
import { SimulatedCallee, type SpeechLog } from './simulated-callee.js';
import { StreamSession } from './stream-session.js';

const GREETING = 'Hello, this is the assistant – grüß Gott! I am calling about the examination that is due.';

/** 100 ms of two frequencies. */
function tone(low: number, high: number): Buffer {
  const wave = (frequency: number, index: number) => Math.sin((2 * Math.PI * frequency * index) / 8_000);
  return encodeMulaw(
    Int16Array.from({ length: 800 }, (_, index) => 11_000 * (wave(low, index) + wave(high, index))),
  );
}

describe('a media stream', () => {
  let bench: Bench;
  let assistant: StreamListener;

  beforeEach(async () => {
    bench = await Bench.start();
    assistant = new StreamListener(bench.service);
  });
  afterEach(() => bench.stop());

  /** @param after the response of the action URL */
  async function call(digits: string, attributes = {}, before = '', after = '<Response/>'): Promise<string> {
    bench.service.answer = (path) => {
      if (path.startsWith('/answer')) return assistant.document(attributes, before);
      return path.startsWith('/action') ? after : 204;
    };
    return String((await bench.call(digits)).body['sid']);
  }

  const action = () => bench.service.webhook(({ path }) => path.startsWith('/action'));
  const entries = async (kind: string) => (await bench.journal()).filter((entry) => entry.kind === kind);
  const said = async (who: string) => (await entries('speech')).filter((entry) => entry['who'] === who);

  /** Ends when the carrier has read the frames: it refuses the following one. */
  const allHasArrived = async (): Promise<void> => {
    assistant.send({ event: 'end' });
    while ((await entries('refusal')).length === 0);
  };

  it('transmits both voices to the byte, and records in the journal what each heard', async () => {
    await call('0024');
    await assistant.untilStarted();
    const audio = speechBytes(GREETING, 2);
    for (let at = 0; at < audio.length; at += 333) assistant.play(audio.subarray(at, at + 333));
    assistant.mark('end');
    await assistant.until(() => assistant.text.includes('call me again'));
    assistant.play(speechBytes('Goodbye!', 2));
    await bench.ending();
    const [greeting] = await said('assistant');
    expect(greeting).toMatchObject({ text: GREETING, heard: GREETING, whole: true });
    const words = (await said('callee')).map(({ text }) => text).join('');
    expect(assistant.text).toBe(words);
    expect(assistant.decoder.unrecognised).toBe(0);
    expect(assistant.marks).toEqual(['end']);
    expect(assistant.stopped).toBe(true);
  });

  it('begins as the carrier does, and sends 50 frames a second also during silence', async () => {
    const sid = await call('0022', { url: `${bench.service.socketUrl('/stream/token-1')}?secret=1` });
    await assistant.untilStarted();
    const began = performance.now();
    await assistant.until(() => assistant.timestamps.length >= 50);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(assistant.timestamps.slice(0, 4)).toEqual([0, 20, 40, 60]);
    expect(bench.service.sockets).toEqual([{ path: '/stream/token-1', signed: true }]);
    expect(assistant.start).toMatchObject({
      callSid: sid,
      streamSid: assistant.streamSid,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: { token: 'token-1' },
    });
  });

  it('discards unplayed audio at a clear, and returns its marks at once', async () => {
    await call('0022');
    await assistant.untilStarted();
    const began = performance.now();
    const time = jest.spyOn(performance, 'now').mockReturnValue(began);
    try {
      for (let piece = 0; piece < 20; piece += 1) {
        assistant.play(speechBytes(String.fromCharCode(97 + piece), 100));
        assistant.mark(String(piece));
      }
      await allHasArrived();
      // Its playback stops, however late the next line is.
      time.mockReturnValue(began + 450);
      await assistant.until(() => assistant.marks.includes('3'));
      assistant.send({ event: 'clear' });
      await assistant.until(() => assistant.marks.includes('19'));
    } finally {
      jest.restoreAllMocks();
    }
    expect(assistant.marks).toEqual(Array.from({ length: 20 }, (_, piece) => String(piece)));
    const [speech] = await said('assistant');
    expect(speech?.['whole']).toBe(false);
    const heard = String(speech?.['text']);
    expect('abcdefghijklmnopqrst'.startsWith(heard)).toBe(true);
    expect(heard.length).toBeGreaterThanOrEqual(4);
    expect(heard.length).toBeLessThan(15);
  });

  it('has played until a clear what fits into real time, however late its timer is', async () => {
    jest.useFakeTimers(fakeOnly('setInterval', 'clearInterval'));
    try {
      await call('0022');
      await assistant.untilStarted();
      const began = performance.now();
      const time = jest.spyOn(performance, 'now').mockReturnValue(began);
      assistant.play(speechBytes('abcdefghijklmnopqrst', 50));
      assistant.mark('end');
      await allHasArrived();
      time.mockReturnValue(began + 320);
      assistant.send({ event: 'clear' });
      await assistant.until(() => assistant.marks.includes('end'));
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
    const [speech] = await said('assistant');
    expect(speech).toMatchObject({ text: 'abcdef', whole: false, lateMs: 320 });
  });

  it('is interrupted by a callee who speaks', async () => {
    await call('0021');
    await assistant.untilStarted();
    assistant.play(speechBytes('x'.repeat(200), 20));
    await assistant.until(() => assistant.text !== '');
    assistant.send({ event: 'clear' });
    await assistant.until(() => assistant.decoder.silentMs > 100);
    const [first] = await said('assistant');
    expect(first?.['whole']).toBe(false);
    expect(String(first?.['text']).length).toBeLessThan(200);
  });

  it('continues after frames that it does not accept, and reports why', async () => {
    await call('0022');
    await assistant.untilStarted();
    assistant.sendRaw('{"event"');
    assistant.sendRaw(Buffer.from('raw audio'));
    assistant.send({ event: 'end' });
    assistant.send({ event: 'toString' });
    assistant.send({ event: 'media', media: { payload: 'not base64' } });
    assistant.send({ event: 'mark', mark: {} });
    assistant.send({ event: 'clear', reason: 'why' });
    assistant.send({ event: 'clear', streamSid: 'MZ-of-another' });
    assistant.mark('after');
    await assistant.until(() => assistant.marks.includes('after'));
    const codes = (await entries('refusal')).map(({ what, why }) => `${what} ${String(why).slice(0, 5)}`);
    expect(codes).toEqual(['frame 31951', 'frame 31950', ...Array.from({ length: 6 }, () => 'frame 31951')]);
  });

  it('requests the action URL when the service closes the socket, and passes no data', async () => {
    await call('0022', {}, '<Say>This call is recorded.</Say>');
    await assistant.untilStarted();
    expect((await said('assistant'))[0]).toMatchObject({ text: 'This call is recorded.', whole: true });
    assistant.close();
    const { params, signed } = await action();
    expect(signed).toBe(true);
    expect(params).toMatchObject({ CallStatus: 'in-progress' });
    expect(Object.keys(params).filter((name) => /Handoff|Session|Error/.test(name))).toEqual([]);
    expect(await entries('socket-lost')).toEqual([]);
  });

  it('requests it too when the socket breaks in the first speech', async () => {
    await call('0033');
    await assistant.untilStarted();
    assistant.play(speechBytes('x'.repeat(500), 60));
    expect((await action()).params['CallStatus']).toBe('in-progress');
    expect(await entries('socket-lost')).toHaveLength(1);
    expect((await entries('refusal'))[0]?.['why']).toMatch(/^31921/);
  });

  it.each([
    ['that cannot be reached', { url: 'ws://127.0.0.1:1/stream' }, 'stream', /^31920/],
    ['that is no WebSocket', { url: 'https://127.0.0.1/stream' }, 'document', /^Invalid value for url/],
    ['of another track', { track: 'both_tracks' }, 'document', /^Invalid value for track/],
  ])('requests it at a stream %s', async (_case, attributes, what, why) => {
    await call('0022', attributes);
    await action();
    expect((await entries('refusal'))[0]).toMatchObject({ what, why: expect.stringMatching(why) });
  });

  it('reads tones as keys of the assistant, and not as words', async () => {
    await call('0022');
    await assistant.untilStarted();
    assistant.play(speechBytes('One moment.', 2));
    assistant.play(Buffer.concat([tone(770, 1_336), Buffer.alloc(800, 0xff), tone(941, 1_477)]));
    assistant.play(speechBytes('Done.', 2));
    assistant.mark('end');
    await assistant.until(() => assistant.marks.includes('end'));
    expect((await said('assistant')).flatMap(({ key }) => key ?? [])).toEqual(['5', '#']);
  });

  /** A stream without a call. @param log gets what its callee says */
  function openStream(log: SpeechLog) {
    const over = new AbortController();
    const clockSpeed = new ClockSpeed(20);
    const callee = new SimulatedCallee(clockSpeed, over.signal, log);
    const session = new StreamSession(
      {
        url: bench.service.socketUrl('/stream/token-1'),
        signature: '',
        accountSid: 'AC1',
        callSid: 'CA1',
        streamSid: 'MZ1',
        customParameters: {},
        faults: { infoFrames: 'paired', firstSocket: 'holds', sessionError: null },
        traits: NO_TRAITS,
        refused: () => undefined,
        lost: () => undefined,
        late: () => undefined,
        heard: () => undefined,
      },
      callee,
      clockSpeed,
    );
    return { over, callee, session, run: session.run(over.signal) };
  }

  it('ends the speech of the callee when all of it is sent', async () => {
    const { over, session, run } = openStream(() => undefined);
    await assistant.untilStarted();
    session.beginSpeech('x'.repeat(50));
    await session.endSpeech();
    session.press('1');
    await assistant.until(() => assistant.digits.length > 0);
    expect(assistant.text).toBe('x'.repeat(50));
    over.abort();
    await expect(run).rejects.toThrow('aborted');
  });

  it.each(['call', 'session'])('records the sent part of a speech in which the %s ends', async (ending) => {
    const told: Parameters<SpeechLog>[0][] = [];
    const { over, callee, run } = openStream((speech) => told.push(speech));
    const text = 'abcdefghij'.repeat(1_000);
    const saying = callee.say(text);
    await assistant.until(() => assistant.text.length > 20);
    if (ending !== 'call') {
      assistant.close();
      expect(await run).toBe('closed');
    }
    over.abort();
    await expect(Promise.all([run, saying])).rejects.toThrow('aborted');
    if (ending === 'call') await assistant.until(() => assistant.stopped);
    expect(told).toEqual([{ who: 'callee', text: expect.any(String), reported: true, whole: false }]);
    const sent = String(Object(told[0]).text);
    expect(sent.startsWith(assistant.text)).toBe(true);
    // A service that closes the session does not receive the frames on their way.
    const unheard = ending === 'call' ? 1 : 50;
    expect(sent.length - assistant.text.length).toBeLessThanOrEqual(unheard);
  });

  it('reports the keys of the callee', async () => {
    await call('0026');
    await assistant.untilStarted();
    assistant.play(speechBytes('Please enter your number.', 1));
    await assistant.until(() => assistant.digits.length > 0);
    expect(assistant.digits[0]).toMatch(/^[0-9*#]$/);
  });
});
