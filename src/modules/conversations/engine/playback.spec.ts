import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from './clock.fake.js';
import { Playback } from './playback.js';
import type { InterruptedSpeech } from './playback-listener.js';
import type { TurnTimings } from './conversation-recorder.js';
import { Speech } from './speech.js';

let clock: FakeClock;
let playback: Playback;
let played: string[], stopped: string[];

beforeEach(() => {
  clock = new FakeClock();
  played = [];
  stopped = [];
  playback = playbackAt(1);
});

function playbackAt(speed: number, isExact = false): Playback {
  const on = {
    pieceReported: () => undefined,
    speechReworded: () => undefined,
    speechPlayed: ({ text }: Speech) => void played.push(text),
    speechStopped: (cuts: InterruptedSpeech[]) => void stopped.push(...cuts.map(({ heard }) => heard)),
  };
  return new Playback(clock, on, speed, isExact);
}

function say(text: string, sentAt?: number): Speech {
  const speech = new Speech(null, {});
  playback.beginSpeech(speech, sentAt);
  playback.addText(speech, text);
  playback.completeSpeech(speech);
  return speech;
}

describe('Playback', () => {
  it.each([
    ['0123456789', 600],
    ['我想订一张桌子', 1_400],
    ['きょう 한국', 1_060],
  ])('estimates, without reports, how long it takes to say %s', async (text, ms) => {
    say(text);
    await clock.advance(ms - 1);
    expect([played, playback.isPlaying]).toEqual([[], true]);
    await clock.advance(1);
    expect([played, playback.isPlaying]).toEqual([[text], false]);
  });

  it('counts from the moment when the speech is sent', async () => {
    await clock.advance(300);
    say('0123456789', 0);
    await clock.advance(299);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect(played).toEqual(['0123456789']);
  });

  it('does not count a speech as heard before its last token', async () => {
    const speech = new Speech(null, {});
    playback.beginSpeech(speech);
    playback.addText(speech, 'One moment');
    await clock.advance(60_000);
    expect(playback.isPlaying).toBe(true);
    playback.completeSpeech(speech);
    await clock.advance(0);
    expect(played).toEqual(['One moment']);
  });

  it('plays one speech after the other', async () => {
    say('0123456789');
    say('abcde');
    await clock.advance(600);
    expect(played).toEqual(['0123456789']);
    await clock.advance(300);
    expect(played).toEqual(['0123456789', 'abcde']);
  });

  it.each([
    ['pieces', ['Hello, ', 'Mr. ', 'Smith.']],
    ['everything so far', ['Hello,', 'Hello, Mr.', 'Hello, Mr. Smith.']],
  ])('follows a line that reports %s', (_, reports) => {
    say('Hello, Mr. Smith.');
    const last = reports.pop() ?? '';
    for (const report of reports) playback.handlePlayed(report);
    expect(played).toEqual([]);
    playback.handlePlayed(last);
    expect(played).toEqual(['Hello, Mr. Smith.']);
  });

  it('treats speech queued before a reported piece as played, too', () => {
    say('First.');
    say('Second one.');
    playback.handlePlayed('Second');
    expect(played).toEqual(['First.']);
  });

  it('ignores reports of other text', () => {
    say('Hello.');
    playback.handlePlayed('Bonjour.');
    playback.handlePlayed('');
    expect(playback.interrupt(null)).toMatchObject([{ heard: '' }]);
  });

  it('accepts a report of silence before the estimated end, after a short delay', async () => {
    say('x'.repeat(100));
    await clock.advance(100);
    playback.handleSpeaking(true);
    await clock.advance(1000);
    playback.handleSpeaking(false);
    await clock.advance(299);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect(playback.isPlaying).toBe(false);
  });

  it('applies an interruption that follows its report of silence', async () => {
    say('One two three four.');
    playback.handleSpeaking(true);
    await clock.advance(500);
    playback.handlePlayed('One two');
    playback.handleSpeaking(false);
    expect(playback.interrupt('One two')).toMatchObject([{ heard: 'One two' }]);
    expect(played).toEqual([]);
  });

  it('accepts a report of speech after the estimated end, for a limited time', async () => {
    say('0123456789');
    playback.handleSpeaking(true);
    await clock.advance(5_599);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect(playback.isPlaying).toBe(false);
  });

  it('returns the heard part of each speech in the queue', () => {
    say('First sentence. ');
    say('Second sentence.');
    say('Third.');
    expect(playback.interrupt('Second').map(({ heard }) => heard)).toEqual(['First sentence.', 'Second', '']);
    expect(playback.isPlaying).toBe(false);
  });

  it('estimates whole words without reports', async () => {
    say('one two three');
    await clock.advance(60 * 9);
    expect(playback.bargeIn()).toMatchObject([{ heard: 'one two' }]);
    expect(playback.interrupt(null)).toMatchObject([{ heard: 'one two' }]);
  });

  it.each([
    ['reports nothing', false, ['one two three'], []],
    ['reports its speech', true, [], ['one two']],
  ])('at the end of a session that %s', async (_, reports, whole, cuts) => {
    if (reports) playback.handleSpeaking(true);
    say('one two three');
    await clock.advance(60 * 9);
    expect(playback.endSession().map(({ heard }) => heard)).toEqual(cuts);
    expect(played).toEqual(whole);
  });

  it.each([
    ['reports nothing', [], [], ''],
    ['reports that it begins', [], [true], 'You'],
    ['does not report yet that it begins', [true, false], [], ''],
  ])('when a session that %s breaks as speech begins', async (_, before, after, heard) => {
    before.forEach((on) => playback.handleSpeaking(on));
    say('You are welcome.');
    after.forEach((on) => playback.handleSpeaking(on));
    await clock.advance(60 * 4);
    expect([playback.endSession(), played]).toMatchObject([[{ heard }], []]);
  });

  it('resolves waiting callers at silence', async () => {
    let silent = false;
    say('0123456789');
    void playback.waitUntilSilent().then(() => (silent = true));
    await clock.advance(599);
    expect(silent).toBe(false);
    await clock.advance(1);
    expect(silent).toBe(true);
  });

  it("follows the voice's speed", async () => {
    playback = playbackAt(1.2);
    say('0123456789');
    await clock.advance(499);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect(played).toEqual(['0123456789']);
  });

  it('corrects its estimate by the report that speech began', async () => {
    say('0123456789');
    await clock.advance(400);
    playback.handleSpeaking(true);
    playback.handleSpeaking(false);
    await clock.advance(299);
    expect(playback.isPlaying).toBe(true);
    say('one two three four five six');
    await clock.advance(1);
    playback.handleSpeaking(true);
    await clock.advance(1_500);
    expect(playback.interrupt(null)).toMatchObject([{ heard: 'one two three four five' }]);
  });

  it('begins a speech when the one before ends, however long its estimate is', async () => {
    say('x'.repeat(500));
    say('one two three four');
    await clock.advance(1_000);
    playback.handlePlayed('x'.repeat(500));
    await clock.advance(600);
    expect(playback.interrupt(null)).toMatchObject([{ heard: 'one two' }]);
  });

  it('counts speech as heard after it has played for 1.5 s', async () => {
    say('Donaudampfschifffahrtsgesellschaftskapitän ahoi');
    await clock.advance(1_499);
    expect(playback.interrupt('')).toMatchObject([{ heard: '' }]);
    say('Donaudampfschifffahrtsgesellschaftskapitän ahoi');
    await clock.advance(1_500);
    expect(playback.interrupt('')).toMatchObject([{ heard: 'Donaudampfschifffahrtsgesellschaftskapitän' }]);
  });

  it('waits for a line that reports its speech to begin, for 5 s', async () => {
    playback.handleSpeaking(true);
    playback.handleSpeaking(false);
    say('0123456789');
    await clock.advance(4_999);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect(played).toEqual(['0123456789']);
  });

  describe('playback that continues in another process', () => {
    const resume = (text: string, timings: TurnTimings) => {
      const speech = new Speech(null, timings, '', { seq: 1, text });
      playback.resumeSpeech(speech);
      return speech;
    };

    it('plays the sent speech for its duration, and a second more', async () => {
      await clock.advance(300);
      resume('0123456789', { playing: 0, textLast: 100 });
      await clock.advance(1_299);
      expect(playback.isPlaying).toBe(true);
      await clock.advance(1);
      expect(played).toEqual(['0123456789']);
    });

    it('reads the text of a partly stored answer from the report', async () => {
      resume('We are open', { playing: 0 });
      await clock.advance(5_000);
      playback.handlePlayed('We are open from nine to five.');
      expect(played).toEqual(['We are open from nine to five.']);
    });

    it('reads its heard part from the interruption', () => {
      resume('We are open', { playing: 0 });
      expect(playback.interrupt('We are open from nine')).toMatchObject([{ heard: 'We are open from nine' }]);
    });

    it('does not read the text of newer speech', () => {
      resume('We are open.', { playing: 0, textLast: 1 });
      say('Thank you.');
      playback.handlePlayed('Thank you.');
      expect(played).toEqual(['We are open.', 'Thank you.']);
    });
  });

  describe('playback that is interrupted', () => {
    it('counts speech as heard until the line reports that it stopped', async () => {
      say('one two three four');
      playback.handleSpeaking(true);
      await clock.advance(420);
      expect(playback.bargeIn()).toMatchObject([{ heard: 'one two' }]);
      expect(playback.isPlaying).toBe(false);
      await clock.advance(420);
      playback.handleSpeaking(false);
      expect(stopped).toEqual(['one two three']);
    });

    it('counts it until newer speech begins where the line reports nothing', async () => {
      say('one two three four');
      playback.bargeIn();
      await clock.advance(600);
      say('five');
      expect(stopped).toEqual(['one two']);
    });
  });

  it('waits for a session that reports everything, until no report can follow', async () => {
    playback = playbackAt(1, true);
    say('0123456789');
    await clock.advance(20_599);
    expect(playback.isPlaying).toBe(true);
    await clock.advance(1);
    expect([playback.isPlaying, stopped]).toEqual([false, ['']]);
  });
});
