import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';
import { endCall, sayTo } from '../service.fake.js';

const GREETING = 'Hello, this is the assistant. I am calling about the examination that is due this year.';
const EVENTS = 'speaker-events tokens-played';

const languageFrame = (code: string): string =>
  JSON.stringify({ type: 'language', ttsLanguage: code, transcriptionLanguage: code });

describe('a relay session on an unreliable line', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  async function call(digits: string, attributes: Record<string, string> = {}, after = '<Response/>') {
    const { service } = bench;
    service.answer = (path) => {
      if (path.startsWith('/answer')) return service.relayDocument({ events: EVENTS, ...attributes });
      return path.startsWith('/action') ? after : 204;
    };
    const { body } = await bench.call(digits);
    return String(body['sid']);
  }

  const action = () => bench.service.webhook(({ path }) => path.startsWith('/action'));
  const ofType = (type: string) => bench.service.frames.filter((frame) => frame.type === type);
  const speech = async (sid: string) =>
    (await bench.journal()).filter((entry) => entry.kind === 'speech' && entry.sid === sid);

  it('ends with an error and 64101 where an attribute is wrong', async () => {
    await call('0022', { welcomeGreeting: GREETING, interruptible: 'sometimes' });
    expect((await action()).params).toMatchObject({
      SessionStatus: 'failed',
      ErrorCode: '64101',
      ErrorMessage: 'Invalid value for interruptible: sometimes',
      CallStatus: 'in-progress',
    });
    expect(ofType('error')).toEqual([
      { type: 'error', description: '64101: Invalid value for interruptible: sometimes' },
    ]);
    expect(ofType('info')).toEqual([]);
  });

  it('ends after five wrong documents in a row', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/status') ? 204 : service.relayDocument({ mood: 'good' }));
    await bench.call('0022');
    await bench.ending();
    expect(service.sockets).toHaveLength(5);
  });

  it('records in the journal to the character what each side heard', async () => {
    bench.service.talk = (frame, socket) => {
      if (frame.type === 'prompt') sayTo(socket, 'Goodbye!');
    };
    const sid = await call('0021', { welcomeGreeting: GREETING });
    const interrupt = await bench.service.frame(({ type }) => type === 'interrupt');
    await bench.service.frame(({ type }) => type === 'prompt');
    const [first, second] = await speech(sid);
    expect(first).toMatchObject({
      who: 'assistant',
      heard: interrupt['utteranceUntilInterrupt'],
      whole: false,
    });
    const played = String(first?.['text']);
    expect(GREETING.startsWith(played)).toBe(true);
    expect(played.startsWith(String(first?.['heard']))).toBe(true);
    // Longer by at most the interrupted word.
    expect(played.slice(String(first?.['heard']).length)).toMatch(/^\s?\S*$/);
    expect(second).toMatchObject({
      who: 'callee',
      text: 'Sorry to interrupt, but who is calling?',
      reported: true,
    });
  });

  it('understands another language after a frame that names one of the document', async () => {
    bench.service.talk = (frame, socket) => {
      if (frame.type === 'setup') socket.send(languageFrame('de-DE'));
    };
    await call('0020', { welcomeGreeting: GREETING, ttsLanguage: 'de-DE' });
    expect(await bench.service.frame(({ type }) => type === 'prompt')).toMatchObject({ lang: 'de-DE' });
    expect(ofType('error')).toEqual([]);
  });

  it('refuses a frame with a language that the document does not name, and one without any', async () => {
    bench.service.talk = (frame, socket) => {
      if (frame.type !== 'setup') return;
      socket.send(languageFrame('fr-FR'));
      socket.send(JSON.stringify({ type: 'language' }));
    };
    const sid = await call('0020', { welcomeGreeting: GREETING });
    expect(await bench.service.frame(({ type }) => type === 'prompt')).toMatchObject({ lang: 'en-US' });
    expect(ofType('error')).toEqual([
      { type: 'error', description: '64106: The language fr-FR is not configured.' },
      { type: 'error', description: '64107: Invalid message received.' },
    ]);
    const refused = (await bench.journal()).filter((entry) => entry.kind === 'refusal' && entry.sid === sid);
    expect(refused).toMatchObject([{ what: 'frame' }, { what: 'frame' }]);
  });

  it('speaks at the pace of people', async () => {
    await call('0022', { welcomeGreeting: GREETING });
    const [on, off] = await Promise.all(
      ['on', 'off'].map((value) =>
        bench.service.frame((frame) => frame['name'] === 'agentSpeaking' && frame['value'] === value),
      ),
    );
    // Milliseconds at the bench's speed; timers may be one early.
    expect(Number(off?.['ts']) - Number(on?.['ts'])).toBeGreaterThan((GREETING.length * 60) / 80 - 3);
  });

  it('0030 coughs: an interruption that no words follow', async () => {
    await call('0030', { welcomeGreeting: GREETING });
    const { service } = bench;
    await service.frame(({ type }) => type === 'interrupt');
    await service.frame((frame) => frame['name'] === 'clientSpeaking' && frame['value'] === 'off');
    expect(ofType('prompt')).toEqual([]);
  });

  it('0031 sends no speaking events', async () => {
    await call('0031', { welcomeGreeting: GREETING });
    await bench.service.frame(({ type }) => type === 'prompt');
    expect(ofType('info')).toEqual([]);
  });

  it('0032 reports when speech begins and never when it ends', async () => {
    await call('0032', { welcomeGreeting: GREETING });
    await bench.service.frame(({ type }) => type === 'prompt');
    const told = ofType('info').map(({ name, value }) => [name, value]);
    expect(told).toEqual([
      ['agentSpeaking', 'on'],
      ['tokensPlayed', GREETING],
      ['clientSpeaking', 'on'],
    ]);
  });

  it('0033 loses the first socket in mid-speech, after the callee heard its beginning', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path.startsWith('/status') ? 204 : service.relayDocument({ welcomeGreeting: GREETING });
    const { body } = await bench.call('0033');
    expect((await action()).params).toMatchObject({ ErrorCode: '64105', CallStatus: 'in-progress' });
    await service.frame(({ type }) => type === 'prompt');
    expect(service.sockets).toHaveLength(2);
    const [first, second] = await speech(String(body['sid']));
    expect(first).toMatchObject({ who: 'assistant', whole: false });
    expect(second).toMatchObject({ who: 'assistant', text: GREETING, whole: true });
  });

  it('0034 never connects the first time', async () => {
    await call('0034', { welcomeGreeting: GREETING });
    expect((await action()).params).toMatchObject({ SessionStatus: 'failed', ErrorCode: '64102' });
    expect(bench.service.sockets).toEqual([]);
  });

  it.each([
    ['0811', '64101'],
    ['0822', '64102'],
    ['0853', '64105'],
    ['0814', '64101'],
    ['0855', '64105'],
  ])('%s ends the first session with the error %s, and no other', async (digits, code) => {
    const { service } = bench;
    service.answer = (path) =>
      path.startsWith('/status') ? 204 : service.relayDocument({ welcomeGreeting: GREETING });
    service.talk = (frame, socket) => {
      if (frame.type !== 'prompt') return;
      if (service.sockets.length === 1) sayTo(socket, 'Thank you for your time. Goodbye!');
      else endCall(socket, 'x');
    };
    await bench.call(digits);
    expect((await action()).params).toMatchObject({ SessionStatus: 'failed', ErrorCode: code });
    await service.webhook(({ params }) => params['SessionStatus'] === 'ended');
    expect(service.sockets).toHaveLength(2);
  });

  it('0952 ends every session in its first speech', async () => {
    const { service } = bench;
    service.answer = (path) => {
      if (path.startsWith('/status')) return 204;
      return service.sockets.length === 3
        ? '<Response/>'
        : service.relayDocument({ welcomeGreeting: GREETING });
    };
    const { body } = await bench.call('0952');
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(await speech(String(body['sid']))).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ who: 'assistant', whole: false })),
    );
  });

  it('0035 continues talking without a pause for an answer', async () => {
    bench.service.talk = (frame, socket) => {
      // Long enough to be interrupted on a slow machine, too: in two of three rounds, as the greeting may be over.
      if (frame.type === 'prompt')
        sayTo(socket, 'I see, and I have more to say about this. '.repeat(20).trim());
    };
    await call('0035', { welcomeGreeting: GREETING });
    await bench.service.until(() => (ofType('prompt').length >= 6 ? true : undefined));
    expect(ofType('interrupt').length).toBeGreaterThanOrEqual(2);
  });

  it('reopens a lost socket by itself where the document requests that, and replays missed messages', async () => {
    const { service } = bench;
    let setups = 0;
    service.talk = (frame, socket) => {
      if (frame.type === 'setup' && ++setups === 1) socket.terminate();
      if (frame.type === 'prompt') endCall(socket, 'heard');
    };
    await call('0020', { welcomeGreeting: GREETING, applicationReconnect: 'true' });
    expect((await action()).params).toMatchObject({ SessionStatus: 'ended', HandoffData: 'heard' });
    expect(ofType('setup').map(({ sessionId }) => sessionId)).toEqual([
      service.frames[0]?.['sessionId'],
      service.frames[0]?.['sessionId'],
    ]);
    expect(ofType('info')).toContainEqual(expect.objectContaining({ name: 'tokensPlayed', value: GREETING }));
  });

  it('refuses to record a call twice', async () => {
    const { service } = bench;
    const record = '<Start><Recording/></Start>';
    service.answer = (path) => (path.startsWith('/status') ? 204 : service.relayDocument({}, record));
    service.talk = (frame, socket) => {
      if (frame.type !== 'setup') return;
      if (service.sockets.length === 1) socket.terminate();
      else endCall(socket, 'x');
    };
    const { body } = await bench.call('0022');
    await service.until(() => (service.sockets.length >= 2 ? true : undefined));
    const refused = (await bench.journal()).filter(({ kind }) => kind === 'refusal');
    expect(refused[0]).toMatchObject({ sid: body['sid'], what: 'recording' });
    const { body: listed } = await bench.rest('GET', `/Calls/${String(body['sid'])}/Recordings.json`);
    expect(listed['recordings']).toHaveLength(1);
  });
});
