import { describe, expect, it } from '@jest/globals';
import type { ModelDelta } from '../language-model.js';
import { ThoughtHabits } from './held-text.js';

const text = (words: string): ModelDelta => ({ kind: 'text', text: words });
const RETRACT: ModelDelta = { kind: 'retract' };

describe('ThoughtHabits', () => {
  it('holds the first answer of a model in a conversation back until it is whole', () => {
    const habits = new ThoughtHabits();
    const first = habits.holdFor('m', true);
    expect(first.pass([text('We ')], false)).toEqual([]);
    expect(first.end([text('open.')])).toEqual([text('We open.')]);
    const second = habits.holdFor('m', false);
    expect(second.pass([text('At nine.')], false)).toEqual([text('At nine.')]);
  });

  it('goes on as soon as the text is known to be no thought', () => {
    const held = new ThoughtHabits().holdFor('m', true);
    held.pass([text('We ')], false);
    expect(held.pass([text('open.')], true)).toEqual([text('We open.')]);
    expect(held.pass([text(' Yes.')], false)).toEqual([text(' Yes.')]);
  });

  it('drops a thought, and from then on doubts each answer until one is without', () => {
    const habits = new ThoughtHabits();
    const first = habits.holdFor('m', true);
    first.pass([text('I must hide it.')], false);
    expect(first.pass([RETRACT, text('Nine.')], false)).toEqual([text('Nine.')]);
    first.end([]);
    const second = habits.holdFor('m', false);
    expect(second.pass([text('Hm.')], false)).toEqual([]);
    expect(second.end([])).toEqual([text('Hm.')]);
    expect(habits.holdFor('m', false).pass([text('Yes.')], false)).toEqual([text('Yes.')]);
    expect(habits.holdFor('other', false).pass([text('Yes.')], false)).toEqual([text('Yes.')]);
  });

  it('trusts a model after a hundred first answers, until it tells a thought', () => {
    const habits = new ThoughtHabits();
    for (let left = 100; left > 0; left -= 1) habits.holdFor('m', true).end([text('Yes.')]);
    const trusted = habits.holdFor('m', true);
    expect(trusted.pass([text('Hm.')], false)).toEqual([text('Hm.')]);
    expect(trusted.pass([RETRACT], false)).toEqual([RETRACT]);
    trusted.end([]);
    expect(habits.holdFor('m', true).pass([text('Hm.')], false)).toEqual([]);
  });
});
