import { describe, expect, it } from '@jest/globals';
import { Speech } from './speech.js';

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
