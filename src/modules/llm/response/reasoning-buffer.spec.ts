import { describe, expect, it } from '@jest/globals';
import type { ModelDelta } from '../language-model.js';
import { ReasoningRegistry } from './reasoning-buffer.js';

const text = (words: string): ModelDelta => ({ kind: 'text', text: words });
const RETRACT: ModelDelta = { kind: 'retract' };
const CALL: ModelDelta = { kind: 'tool_call', id: 'a', name: 'look_up', arguments: '{}' };
const FIRST = { isFirst: true, prompt: 'Help.' };
const LATER = { ...FIRST, isFirst: false };

const holds = (habits: ReasoningRegistry, speech = FIRST, model = 'm'): boolean =>
  habits.createBuffer(model, speech).filterDeltas([text('Yes.')], false).length === 0;

const answer = (habits: ReasoningRegistry, speech: typeof FIRST, ...deltas: ModelDelta[]): void =>
  void habits.createBuffer('m', speech).flush(deltas);

describe('ReasoningRegistry', () => {
  it('buffers the first response of a model in a conversation until it is complete', () => {
    const first = new ReasoningRegistry().createBuffer('m', FIRST);
    expect(first.filterDeltas([text('We ')], false)).toEqual([]);
    expect(first.flush([text('open.')])).toEqual([text('We open.')]);
  });

  it('buffers no later response, and none that is read when it is complete', () => {
    const habits = new ReasoningRegistry();
    expect(holds(habits, LATER)).toBe(false);
    expect(habits.createBuffer('m').filterDeltas([text('Yes.')], false)).toEqual([text('Yes.')]);
  });

  it('releases text as soon as it is known to be no reasoning', () => {
    const held = new ReasoningRegistry().createBuffer('m', FIRST);
    held.filterDeltas([text('We ')], false);
    expect(held.filterDeltas([text('open.')], true)).toEqual([text('We open.')]);
    expect(held.filterDeltas([text(' Yes.')], false)).toEqual([text(' Yes.')]);
  });

  it('drops reasoning, and buffers each later response until one has none', () => {
    const habits = new ReasoningRegistry();
    const first = habits.createBuffer('m', FIRST);
    first.filterDeltas([text('I must hide it.'), RETRACT, text('Nine.')], false);
    expect(first.flush([])).toEqual([text('Nine.')]);
    expect(holds(habits, LATER)).toBe(true);
    expect(
      habits.createBuffer('m', FIRST).filterDeltas([text('I must.'), RETRACT, text('Ten.')], false),
    ).toEqual([text('Ten.')]);
    answer(habits, LATER, text('Hm.'));
    expect(holds(habits, LATER)).toBe(false);
    expect(holds(habits)).toBe(true);
  });

  it('drops the text before the last of several closing tags, in the first response and later', () => {
    const habits = new ReasoningRegistry();
    const deltas = [text('Secret.'), RETRACT, text('More.'), RETRACT, text('Nine.')];
    for (const speech of [FIRST, LATER]) {
      const held = habits.createBuffer('m', speech);
      const spoken = deltas.flatMap((delta) => held.filterDeltas([delta], false));
      expect([...spoken, ...held.flush([])]).toEqual([text('Nine.')]);
    }
  });

  it.each([
    ['two calls', FIRST, FIRST],
    ['one call', FIRST, LATER],
  ])('trusts a model after two answers without reasoning (%s), until one has reasoning', (_, one, two) => {
    const habits = new ReasoningRegistry();
    answer(habits, one, text('Yes.'));
    expect(holds(habits)).toBe(true);
    answer(habits, two, text('Yes.'), CALL);
    const trusted = habits.createBuffer('m', FIRST);
    expect(trusted.filterDeltas([text('Hm.')], false)).toEqual([text('Hm.')]);
    expect(trusted.filterDeltas([RETRACT], false)).toEqual([RETRACT]);
    trusted.flush([]);
    expect(holds(habits)).toBe(true);
  });

  it.each<[string, ModelDelta[]]>([
    ['only a call', [CALL]],
    ['blank text', [text('\n')]],
    ['its beginning', [text('The customer asks'), { kind: 'stopped', reason: 'length' }]],
  ])('does not trust a model with %s', (_, deltas) => {
    const habits = new ReasoningRegistry();
    for (const speech of [FIRST, LATER, LATER]) answer(habits, speech, ...deltas);
    expect(holds(habits)).toBe(true);
  });

  it('keeps buffering after an interrupted response', () => {
    const habits = new ReasoningRegistry();
    for (const word of ['One', 'Two', 'Three'])
      habits.createBuffer('m', FIRST).filterDeltas([text(word)], false);
    expect(holds(habits)).toBe(true);
  });

  it('stops buffering for one prompt only, because prompts turn reasoning on and off', () => {
    const habits = new ReasoningRegistry();
    for (const speech of [FIRST, LATER]) answer(habits, speech, text('Yes.'));
    expect(holds(habits)).toBe(false);
    expect(holds(habits, { ...FIRST, prompt: 'Help. /think' })).toBe(true);
    expect(holds(habits, FIRST, 'other')).toBe(true);
  });
});
