import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '#src/database/seed/languages-and-plans.js';
import { isFarewell } from '../engine/farewells.js';
import { isBackchannel } from '../engine/interruption-policy.js';
import { isYesOrNo } from './short-answers.js';
import { WORD_SAMPLES } from './word-samples.fake.js';

describe('what people say', () => {
  it('has samples of every language of the catalogue', () => {
    const bases = LANGUAGES.map(({ tag }) => tag.slice(0, 2));
    expect(bases.filter((base) => !WORD_SAMPLES[base])).toEqual([]);
  });

  it.each(Object.entries(WORD_SAMPLES))(
    'in %s: listens, answers and takes leave, or stops the assistant',
    (tag, { listens, answers, parts, stops }) => {
      expect({
        stopsAsListener: listens.filter((text) => !isBackchannel(text, tag)),
        isNoAnswer: answers.filter((text) => !isYesOrNo(text, tag)),
        isNoFarewell: parts.filter((text) => !isFarewell(text, tag)),
        isIgnored: stops.filter((text) => isBackchannel(text, tag) || isFarewell(text, tag)),
      }).toEqual({ stopsAsListener: [], isNoAnswer: [], isNoFarewell: [], isIgnored: [] });
    },
  );
});
