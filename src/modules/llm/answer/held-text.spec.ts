import { describe, expect, it } from '@jest/globals';
import type { ModelDelta } from '../language-model.js';
import { ThoughtHabits } from './held-text.js';

const text = (words: string): ModelDelta => ({ kind: 'text', text: words });
const RETRACT: ModelDelta = { kind: 'retract' };
const CALL: ModelDelta = { kind: 'tool_call', id: 'a', name: 'look_up', arguments: '{}' };
const FIRST = { isFirst: true, prompt: 'Help.' };
const LATER = { ...FIRST, isFirst: false };

const holds = (habits: ThoughtHabits, speech = FIRST, model = 'm'): boolean =>
  habits.holdFor(model, speech).pass([text('Yes.')], false).length === 0;

const answer = (habits: ThoughtHabits, speech: typeof FIRST, ...deltas: ModelDelta[]): void =>
  void habits.holdFor('m', speech).end(deltas);

describe('ThoughtHabits', () => {
  it('holds the first answer of a model in a conversation back until it is whole', () => {
    const first = new ThoughtHabits().holdFor('m', FIRST);
    expect(first.pass([text('We ')], false)).toEqual([]);
    expect(first.end([text('open.')])).toEqual([text('We open.')]);
  });

  it('holds no later answer back, and none that is read when it is whole', () => {
    const habits = new ThoughtHabits();
    expect(holds(habits, LATER)).toBe(false);
    expect(habits.holdFor('m').pass([text('Yes.')], false)).toEqual([text('Yes.')]);
  });

  it('goes on as soon as the text is known to be no thought', () => {
    const held = new ThoughtHabits().holdFor('m', FIRST);
    held.pass([text('We ')], false);
    expect(held.pass([text('open.')], true)).toEqual([text('We open.')]);
    expect(held.pass([text(' Yes.')], false)).toEqual([text(' Yes.')]);
  });

  it('drops a thought, and from then on doubts each answer until one is without', () => {
    const habits = new ThoughtHabits();
    const first = habits.holdFor('m', FIRST);
    first.pass([text('I must hide it.'), RETRACT, text('Nine.')], false);
    expect(first.end([])).toEqual([text('Nine.')]);
    expect(holds(habits, LATER)).toBe(true);
    expect(habits.holdFor('m', FIRST).pass([text('I must.'), RETRACT, text('Ten.')], false)).toEqual([
      text('Ten.'),
    ]);
    answer(habits, LATER, text('Hm.'));
    expect(holds(habits, LATER)).toBe(false);
    expect(holds(habits)).toBe(true);
  });

  it('drops what stands before the last of several closing tags, in the first answer and later', () => {
    const habits = new ThoughtHabits();
    const deltas = [text('Secret.'), RETRACT, text('More.'), RETRACT, text('Nine.')];
    for (const speech of [FIRST, LATER]) {
      const held = habits.holdFor('m', speech);
      const spoken = deltas.flatMap((delta) => held.pass([delta], false));
      expect([...spoken, ...held.end([])]).toEqual([text('Nine.')]);
    }
  });

  it.each([
    ['two calls', FIRST, FIRST],
    ['one call', FIRST, LATER],
  ])('trusts a model after two answers without a thought (%s), until it tells one', (_, one, two) => {
    const habits = new ThoughtHabits();
    answer(habits, one, text('Yes.'));
    expect(holds(habits)).toBe(true);
    answer(habits, two, text('Yes.'), CALL);
    const trusted = habits.holdFor('m', FIRST);
    expect(trusted.pass([text('Hm.')], false)).toEqual([text('Hm.')]);
    expect(trusted.pass([RETRACT], false)).toEqual([RETRACT]);
    trusted.end([]);
    expect(holds(habits)).toBe(true);
  });

  it.each<[string, ModelDelta[]]>([
    ['only a call', [CALL]],
    ['blank text', [text('\n')]],
    ['its beginning', [text('The customer asks'), { kind: 'stopped', reason: 'length' }]],
  ])('does not trust a model of which it knows %s', (_, deltas) => {
    const habits = new ThoughtHabits();
    for (const speech of [FIRST, LATER, LATER]) answer(habits, speech, ...deltas);
    expect(holds(habits)).toBe(true);
  });

  it('does not trust a model that was interrupted', () => {
    const habits = new ThoughtHabits();
    for (const word of ['One', 'Two', 'Three']) habits.holdFor('m', FIRST).pass([text(word)], false);
    expect(holds(habits)).toBe(true);
  });

  it('trusts a model with one prompt only, because prompts turn thoughts on and off', () => {
    const habits = new ThoughtHabits();
    for (const speech of [FIRST, LATER]) answer(habits, speech, text('Yes.'));
    expect(holds(habits)).toBe(false);
    expect(holds(habits, { ...FIRST, prompt: 'Help. /think' })).toBe(true);
    expect(holds(habits, FIRST, 'other')).toBe(true);
  });
});
