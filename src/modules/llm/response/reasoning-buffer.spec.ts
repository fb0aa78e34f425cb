import { describe, expect, it, jest } from '@jest/globals';
import type { ModelDelta, StreamRequest } from '../language-model.js';
import { ReasoningRegistry } from './reasoning-buffer.js';

const LOCAL = 'http://127.0.0.1:11434/v1';

type BufferedRequest = Pick<StreamRequest, 'speech' | 'messages'>;

const text = (words: string): ModelDelta => ({ kind: 'text', text: words });
const RETRACT: ModelDelta = { kind: 'retract' };
const CALL: ModelDelta = { kind: 'tool_call', id: 'a', name: 'look_up', arguments: '{}' };
const FIRST: BufferedRequest = {
  speech: { prompt: 'Help.' },
  messages: [
    { role: 'customer', text: 'When?' },
    { role: 'system', text: 'Go on.' },
  ],
};
const AFTER_TOOL: BufferedRequest = {
  ...FIRST,
  messages: [{ role: 'tool', callId: 'a', text: '10' }, ...FIRST.messages.slice(1)],
};

const holds = (habits: ReasoningRegistry, request = FIRST, model = 'm', baseUrl = LOCAL): boolean =>
  habits.createBuffer(model, request, baseUrl).filterDeltas([text('Yes.')], false).length === 0;

const answer = (habits: ReasoningRegistry, request: BufferedRequest, ...deltas: ModelDelta[]): void =>
  void habits.createBuffer('m', request, LOCAL).flush(deltas);

describe('ReasoningRegistry', () => {
  it('buffers a response of an unknown model until it is complete', () => {
    const first = new ReasoningRegistry().createBuffer('m', FIRST, LOCAL);
    expect(first.filterDeltas([text('We ')], false)).toEqual([]);
    expect(first.flush([text('open.')])).toEqual([text('We open.')]);
  });

  it('buffers no response that is read when it is complete', () => {
    const whole = new ReasoningRegistry().createBuffer('m', { messages: FIRST.messages }, LOCAL);
    expect(whole.filterDeltas([text('Yes.')], false)).toEqual([text('Yes.')]);
  });

  it.each<[string, boolean]>([
    ['https://api.openai.com/v1', false],
    ['https://eu.api.openai.com/v1', false],
    ['https://mine.openai.azure.com/openai/v1', false],
    ['https://api.anthropic.com/v1', false],
    ['https://generativelanguage.googleapis.com/v1beta/openai', false],
    ['https://api.groq.com/openai/v1', true],
    ['https://notopenai.com/v1', true],
    ['https://openai.com.example.org/v1', true],
    ['http://[::1]:8000/v1', true],
  ])('at %s buffers a response of an unknown model: %s', (baseUrl, isHeld) => {
    expect(holds(new ReasoningRegistry(), FIRST, 'm', baseUrl)).toBe(isHeld);
  });

  it('releases text as soon as it is known to be no reasoning', () => {
    const held = new ReasoningRegistry().createBuffer('m', FIRST, LOCAL);
    held.filterDeltas([text('We ')], false);
    expect(held.filterDeltas([text('open.')], true)).toEqual([text('We open.')]);
    expect(held.filterDeltas([text(' Yes.')], false)).toEqual([text(' Yes.')]);
  });

  it('drops reasoning, and buffers each later response, also after plain ones', () => {
    const habits = new ReasoningRegistry();
    const first = habits.createBuffer('m', FIRST, LOCAL);
    first.filterDeltas([text('I must hide it.'), RETRACT, text('Nine.')], false);
    expect(first.flush([])).toEqual([text('Nine.')]);
    for (const request of [FIRST, AFTER_TOOL, FIRST, AFTER_TOOL]) {
      answer(habits, request, text('Hm.'));
      expect([holds(habits, FIRST), holds(habits, AFTER_TOOL)]).toEqual([true, true]);
    }
    const later = habits.createBuffer('m', FIRST, LOCAL);
    later.filterDeltas([text('I must.'), RETRACT], false);
    expect(later.filterDeltas([text('Ten.')], false)).toEqual([text('Ten.')]);
  });

  it.each<[string, BufferedRequest, ModelDelta[]]>([
    ['a call alone', AFTER_TOOL, [CALL]],
    ['a call with text', AFTER_TOOL, [text('One moment.'), CALL]],
    ['a plain answer', FIRST, [text('At nine.')]],
    ['two plain answers to the customer', AFTER_TOOL, [text('At nine.')]],
  ])('drops reasoning in a response after %s', (name, request, deltas) => {
    const habits = new ReasoningRegistry();
    answer(habits, FIRST, ...deltas);
    if (name.startsWith('two')) answer(habits, FIRST, ...deltas);
    const held = habits.createBuffer('m', request, LOCAL);
    const spoken = [text('Secret.'), RETRACT, text('Ten.')].flatMap((one) => held.filterDeltas([one], false));
    expect([...spoken, ...held.flush([])]).toEqual([text('Ten.')]);
    answer(habits, FIRST, text('One moment.'), CALL);
    expect([holds(habits, FIRST), holds(habits, AFTER_TOOL)]).toEqual([true, true]);
  });

  it('buffers an unknown model for 8 s at most, and a model with reasoning until its closing tag', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const habits = new ReasoningRegistry();
    const [unknown, known] = [FIRST, FIRST].map((request, at) => {
      if (at === 1) habits.createBuffer('m', request, LOCAL).filterDeltas([RETRACT], false);
      return habits.createBuffer('m', request, LOCAL);
    });
    now.mockReturnValue(9_000);
    expect(unknown?.filterDeltas([text('Yes.')], false)).toEqual([text('Yes.')]);
    expect(known?.filterDeltas([text('Secret.')], false)).toEqual([]);
    expect(known?.flush([RETRACT, text('Ten.')])).toEqual([text('Ten.')]);
    now.mockRestore();
  });

  it('drops the text before the last of several closing tags, in the first response and later', () => {
    const habits = new ReasoningRegistry();
    const deltas = [text('Secret.'), RETRACT, text('More.'), RETRACT, text('Nine.')];
    for (const request of [FIRST, AFTER_TOOL]) {
      const held = habits.createBuffer('m', request, LOCAL);
      const spoken = deltas.flatMap((delta) => held.filterDeltas([delta], false));
      expect([...spoken, ...held.flush([])]).toEqual([text('Nine.')]);
    }
  });

  it.each([
    ['the customer', FIRST, AFTER_TOOL],
    ['a tool', AFTER_TOOL, FIRST],
  ])('trusts a model after two plain answers to %s there, until one has reasoning', (_, request, other) => {
    const habits = new ReasoningRegistry();
    answer(habits, request, text('Yes.'));
    expect(holds(habits, request)).toBe(true);
    answer(habits, request, text('Yes.'));
    expect(holds(habits, other)).toBe(true);
    const trusted = habits.createBuffer('m', request, LOCAL);
    expect(trusted.filterDeltas([text('Hm.')], false)).toEqual([text('Hm.')]);
    expect(trusted.filterDeltas([RETRACT], false)).toEqual([RETRACT]);
    // The customer interrupts: the response has no end.
    expect(holds(habits, request)).toBe(true);
  });

  it.each<[string, ModelDelta[]]>([
    ['only a call', [CALL]],
    ['text beside a call', [text('One moment.'), CALL]],
    ['blank text', [text('\n')]],
    ['its beginning', [text('The customer asks'), { kind: 'stopped', reason: 'length' }]],
  ])('does not trust a model with %s', (_, deltas) => {
    const habits = new ReasoningRegistry();
    for (let left = 3; left > 0; left -= 1) answer(habits, FIRST, ...deltas);
    expect(holds(habits)).toBe(true);
  });

  it('keeps buffering after an interrupted response', () => {
    const habits = new ReasoningRegistry();
    for (const word of ['One', 'Two', 'Three'])
      habits.createBuffer('m', FIRST, LOCAL).filterDeltas([text(word)], false);
    expect(holds(habits)).toBe(true);
  });

  it('stops buffering for one prompt only, because prompts turn reasoning on and off', () => {
    const habits = new ReasoningRegistry();
    for (let left = 2; left > 0; left -= 1) answer(habits, FIRST, text('Yes.'));
    expect(holds(habits)).toBe(false);
    expect(holds(habits, { ...FIRST, speech: { prompt: 'Help. /think' } })).toBe(true);
    expect(holds(habits, FIRST, 'other')).toBe(true);
  });
});
