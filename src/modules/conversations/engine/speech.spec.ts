import { describe, expect, it } from '@jest/globals';
import { estimateHeardText, removeHeardPart, Speech } from './speech.js';

describe('the heard part of a speech that is reported in another spelling', () => {
  const TEXT = 'We meet at 3 PM on Friday then.';
  const speech = (): Speech => {
    const spoken = new Speech(null, {});
    spoken.text = TEXT;
    spoken.endsAt = TEXT.length * 60;
    return spoken;
  };

  it('has as many words as the report', () => {
    expect(speech().countHeard('We meet at three', 300)).toBe('We meet at 3');
  });

  it('has no more words than are reported as played', () => {
    const spoken = speech();
    spoken.applyReport('We meet at 3 PM', 900);
    expect(spoken.countHeard('We meet at three p m', 1_000)).toBe('We meet at 3 PM');
    // 500 ms after a report, further words may have been played.
    expect(spoken.countHeard('We meet at three p m', 1_900)).toBe('We meet at 3 PM on');
  });
});

describe('the heard part of a speech without spaces between words', () => {
  const TEXT = '今天天气很好，我们去公园。';

  it.each([
    [500, '今天天气很好，'],
    [60, ''],
    [13 * 60, TEXT],
  ])('after %i ms is %j', (ms, heard) => {
    expect(estimateHeardText(TEXT, ms, 60)).toBe(heard);
  });

  it('has one word at least after 1.5 s', () => {
    expect(estimateHeardText(TEXT, 1_500, 1_000)).toBe('今天');
  });

  it('has as many words as a report in another spelling, and the rest follows it', () => {
    const spoken = new Speech(null, {});
    spoken.text = TEXT;
    expect(spoken.countHeard('今日天氣', 0)).toBe('今天天气');
    expect(removeHeardPart(TEXT, '今日天氣')).toBe('很好，我们去公园。');
  });
});
