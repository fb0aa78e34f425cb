import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeepgramCall, framesOf, SECOND } from './deepgram-call.fake.js';
import { FluxTranscriberService } from './flux-transcriber.service.js';

const FINAL = { is_final: true };
const FINALIZED = { is_final: true, from_finalize: true };

const call = new DeepgramCall();

beforeEach(() => call.start());
afterEach(() => call.stop());

describe('an utterance of Deepgram without an end', () => {
  beforeEach(async () => {
    await call.open();
    call.stream.speechStarted();
    call.server.result('I would like to book', FINAL);
    call.server.result('a table for two.', FINAL);
    await call.until(() => call.partials() === 2);
    call.stream.speechEnded();
    await call.server.until(() => call.server.texts.includes('{"type":"Finalize"}'));
  });

  const WORDS = 'I would like to book a table for two.';

  it('ends with the final words when Finalize has no answer', async () => {
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual([WORDS]);
  });

  it.each([
    ['late and empty', ['']],
    ['late, twice and empty', ['', '']],
  ])('ends once when it is answered %s', async (_, answers) => {
    await call.until(() => call.finals().length === 1);
    for (const text of answers) call.server.result(text, FINALIZED);
    await call.arrived();
    expect(call.finals()).toEqual([WORDS]);
  });

  it('ends at once with the answer, which may come twice', async () => {
    call.server.result('Tonight.', FINALIZED);
    call.server.result('', FINALIZED);
    await call.until(() => call.finals().length > 0);
    await call.arrived();
    expect(call.finals()).toEqual([`${WORDS} Tonight.`]);
  });

  it('reports words of a late answer as another utterance', async () => {
    await call.until(() => call.finals().length === 1);
    call.server.result('Tonight.', FINALIZED);
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual([WORDS, 'Tonight.']);
  });

  it('ends with the final words when the socket breaks meanwhile', async () => {
    call.server.client?.terminate();
    await call.until(() => call.finals().length === 1);
    expect(call.events.some(({ kind }) => kind === 'failed')).toBe(false);
    expect(call.finals()).toEqual([WORDS]);
  });

  it('does not end newer speech with a late answer, whose words are not lost', async () => {
    await call.until(() => call.finals().length === 1);
    call.stream.speechStarted();
    call.server.result('Tonight,', FINALIZED);
    await call.until(() => call.partials() === 3);
    call.server.result('at eight.', FINAL);
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual([WORDS, 'Tonight, at eight.']);
  });

  it('ends before the next one, however soon that ends', async () => {
    call.stream.speechStarted();
    call.stream.speechEnded();
    expect(call.finals()).toEqual([WORDS]);
    call.server.result('', FINALIZED);
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual([WORDS, '']);
  });
});

describe('an utterance of Deepgram whose last audio has no result yet', () => {
  beforeEach(async () => {
    await call.open();
    call.stream.speechStarted();
    call.speak(2 * SECOND);
    await call.server.until(() => call.server.audio.length === 2 * SECOND);
    call.server.result('I would like', { start: 0, duration: 1.5 });
    await call.until(() => call.partials() === 1);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    call.stream.speechEnded();
    jest.advanceTimersByTime(1_500);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits for the rest of the words', async () => {
    call.server.result('I would like to come.', { ...FINALIZED, start: 0, duration: 2 });
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like to come.']);
  });

  it('ends 1.2 s after an interim result of all of it, which the final one may correct', async () => {
    call.server.result('I would like that.', { start: 0, duration: 2 });
    await call.until(() => call.partials() === 2);
    jest.advanceTimersByTime(1_199);
    expect(call.finals()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(call.finals()).toEqual(['I would like that.']);
  });

  it('waits in another socket, too', async () => {
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === 2 * SECOND);
    jest.advanceTimersByTime(1_500);
    call.server.result('I would like to come.', { ...FINALIZED, start: 0, duration: 2 });
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like to come.']);
  });

  it('ends without them when they are late', () => {
    expect(call.finals()).toEqual([]);
    jest.advanceTimersByTime(500);
    expect(call.finals()).toEqual(['I would like']);
  });
});

describe('an utterance of Deepgram', () => {
  it('ends with interim words, which are not repeated when they are final', async () => {
    await call.open();
    call.stream.speechStarted();
    call.server.result('A table for');
    await call.until(() => call.partials() === 1);
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    call.server.result('A table for two.', FINAL);
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual(['A table for', 'two.']);
  });

  it.each([
    ['A table on Tuesday', 'A table on Thursday.', 'Thursday.'],
    ['我想', '我想订一张桌子。', '订一张桌子。'],
  ])('has words that its final text changes or adds: %j, %j', async (interim, final, rest) => {
    await call.open();
    call.stream.speechStarted();
    call.server.result(interim);
    await call.until(() => call.partials() === 1);
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    call.server.result(final, FINALIZED);
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual([interim, rest]);
  });

  it('without words ends empty, without an answer too', async () => {
    await call.open();
    call.stream.speechStarted();
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['']);
  });

  it('that the voice detection does not hear ends while its interim words are repeated', async () => {
    await call.open();
    const repeating = setInterval(() => call.server.result('Yes please.'), 100);
    await call.until(() => call.finals().length === 1).finally(() => clearInterval(repeating));
    expect(call.finals()).toEqual(['Yes please.']);
  });

  it('that the voice detection does not hear ends after a pause', async () => {
    await call.open();
    call.server.result('Yes please.', FINAL);
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['Yes please.']);
  });
});

const turn = (event: string, transcript: string, end?: number): void => {
  const window = end === undefined ? {} : { audio_window_end: end };
  call.server.client?.send(JSON.stringify({ type: 'TurnInfo', event, transcript, ...window }));
};

describe('a turn of Flux', () => {
  beforeEach(async () => {
    await call.open(new FluxTranscriberService());
    call.speak(SECOND);
    await call.server.until(() => call.server.audio.length === SECOND);
    call.stream.speechStarted();
    turn('StartOfTurn', 'I would', 0.5);
    turn('Update', 'I would like that.', 0.6);
    await call.until(() => call.partials() === 2);
  });

  it.each(['never', 'late'])('whose end comes %s ends with the known words, once', async (when) => {
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    if (when === 'late') turn('EndOfTurn', 'I would like that.', 1);
    await call.arrived();
    expect(call.finals()).toEqual(['I would like that.']);
  });

  it('whose end has more words reports them', async () => {
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    turn('EndOfTurn', 'I would like that. Thanks.', 1);
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual(['I would like that.', 'Thanks.']);
  });

  it('is heard again on another socket: words at the end of its audio may not be in its transcript', async () => {
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === SECOND);
    expect(framesOf(call.server.audio)[0]).toBe(0);
    turn('StartOfTurn', 'I would like that. On', 0.8);
    await call.until(() => call.partials() === 3);
    call.stream.speechEnded();
    await call.server.until(() => call.server.texts.includes('{"type":"ForceEndTurn"}'));
    turn('EndOfTurn', 'I would like that. On Monday.', 1);
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like that. On Monday.']);
  });

  it('that is too long to be heard again keeps the words of its beginning', async () => {
    for (let end = 2; end <= 10; end += 1) {
      call.speak(SECOND);
      turn('Update', `I would like that. And${end > 2 ? ' then' : ''}`, end);
      await call.arrived();
    }
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === 8 * SECOND);
    turn('EndOfTurn', 'then I will come.', 8);
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like that. And then I will come.']);
  });

  it('waits for words on whose audio there is no update yet', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    call.stream.speechEnded();
    jest.advanceTimersByTime(1_500);
    turn('Update', 'I would like that. Hanks.', 1);
    await call.until(() => call.partials() === 3);
    jest.advanceTimersByTime(399);
    jest.useRealTimers();
    turn('EndOfTurn', 'I would like that. Thanks.', 1);
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like that. Thanks.']);
  });

  it('that a sound follows has one final transcript, and the sound one without words', async () => {
    call.stream.speechEnded();
    call.stream.speechStarted();
    turn('EndOfTurn', 'I would like that.', 1);
    await call.until(() => call.finals().length === 1);
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 2);
    expect(call.finals()).toEqual(['I would like that.', '']);
  });
});

it('is no turn of Flux before words are transcribed, which follow the end of a short voice', async () => {
  await call.open(new FluxTranscriberService());
  turn('Update', '', 0.25);
  await call.arrived();
  call.stream.speechStarted();
  call.stream.speechEnded();
  await call.arrived();
  expect(call.server.texts).toEqual([]);
  turn('StartOfTurn', 'Yes.', 0.5);
  await call.server.until(() => call.server.texts.includes('{"type":"ForceEndTurn"}'));
  turn('EndOfTurn', 'Yes.', 0.75);
  await call.until(() => call.finals().length === 1);
  expect(call.finals()).toEqual(['Yes.']);
});
