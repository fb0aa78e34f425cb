import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { LanguageModelError } from '../../llm/language-model.js';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('a response that breaks off', () => {
  it.each([
    ['stalls', { waitMs: 60_000 }, 3_000],
    ['fails', { failure: new LanguageModelError('cut', false) }, 0],
  ])('continues with the fallback model when the first one %s in mid-sentence', async (_, step, afterMs) => {
    const { clock, session, model, recorder, begin } = startConversation({ fallbackModel: 'gpt-other' });
    model.willSay('We are open ', 'from ', step).willSay('nine to five.');
    await begin();
    await session.customerSays('When?');
    await clock.advance(Math.max(0, afterMs - 1));
    if (afterMs > 0) expect(model.requests).toHaveLength(1);
    await clock.advance(1);
    expect(model.requests.map((request) => request.model)).toEqual(['gpt-test', 'gpt-other']);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: 'customer', text: 'When?' },
      { role: 'assistant', text: 'We are open from', toolCalls: [] },
      { role: 'system', text: expect.stringContaining('Go on from there') },
    ]);
    expect(session.speeches).toEqual(['We are open from ', 'nine to five.']);
    expect(recorder.lines).toEqual(['Customer: When?', 'AI: We are open from', 'AI: nine to five.']);
    // The customer waited for the first words only.
    expect(recorder.turns.get(3)?.timings).not.toHaveProperty('prompt');
  });

  it.each([
    ['stalls', { waitMs: 60_000 }, 3_700],
    ['fails', { failure: new LanguageModelError('cut', false) }, 2_500],
  ])(
    'lets the customer wait behind a phrase when the first one %s, and the other is slow',
    async (_, step, afterMs) => {
      const { clock, session, model, begin } = startConversation({ fallbackModel: 'gpt-other' });
      model.willSay('We are open ', step).willSay({ waitMs: 4_000 }, 'at nine.');
      await begin();
      await session.customerSays('When?');
      await clock.advance(afterMs - 1);
      expect(session.speeches).toEqual(['We are open ']);
      await clock.advance(5_000);
      expect(session.speeches).toEqual(['We are open ', 'One moment, please.', 'at nine.']);
    },
  );

  it('waits for a customer who speaks during the pause of a model before the fallback model continues', async () => {
    const { clock, session, model, begin } = startConversation({ fallbackModel: 'gpt-other' });
    model.willSay('We are open ', { waitMs: 60_000 }).willSay('at nine.').willSay('Yes, on Sundays.');
    await begin();
    await session.customerSays('When?');
    await clock.advance(2_900);
    await session.emit({ kind: 'speaking', who: 'customer', on: true });
    await clock.advance(1_000);
    await session.customerSays('On Sundays?');
    await clock.advance(1_000);
    expect(session.speeches).toEqual(['We are open ', 'Yes, on Sundays.']);
  });

  it('apologises for a model that stalls in mid-sentence, and ends only the second time', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay('We are ', { waitMs: 60_000 }).willSay('We are ', { waitMs: 60_000 });
    await begin();
    await session.customerSays('When?');
    await clock.advance(6_000);
    expect(session.speeches.at(-1)).toContain('Shall I go on?');
    expect(session.ended).toBeNull();
    await clock.advance(4_000);
    await session.customerSays('Yes.');
    await clock.advance(6_000);
    expect(session.speeches.at(-1)).toContain('must end the call');
  });
});

describe('models with too many requests', () => {
  it.each([
    [null, 1_000],
    [200, 1_000],
    [1_500, 1_500],
    [8_000, 8_000],
  ])('are retried after a waiting phrase and the delay of Retry-After: %s', async (retryAfterMs, waitMs) => {
    const { clock, session, model, begin } = startConversation({ fallbackModel: 'gpt-other' });
    const failure = new LanguageModelError('busy', true, 429, undefined, retryAfterMs);
    model.willSay({ failure }).willSay({ failure }).willSay('Here I am.');
    await begin();
    await session.customerSays('Hello?');
    expect(model.requests).toHaveLength(2);
    expect(session.speeches).toEqual(['One moment, please.']);
    await clock.advance(waitMs - 1);
    expect(model.requests).toHaveLength(2);
    await clock.advance(1);
    expect(session.speeches[0]).toBe('One moment, please.');
    expect(session.speeches.at(-1)).toBe('Here I am.');
  });

  it('are not retried where Retry-After is longer than customers wait', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ failure: new LanguageModelError('busy', true, 429, undefined, 8_100) });
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual([expect.stringMatching(/^Sorry, something went wrong/)]);
    await clock.advance(9_000);
    expect(model.requests).toHaveLength(1);
  });

  it('are not retried for an utterance that the customer continues', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ failure: new LanguageModelError('busy', true, 429) }).willSay('At nine.');
    await begin();
    await session.customerSays('When do you');
    await clock.advance(500);
    await session.customerSays('open?');
    expect(model.requests).toHaveLength(2);
    expect(session.speeches.at(-1)).toBe('At nine.');
  });
});
