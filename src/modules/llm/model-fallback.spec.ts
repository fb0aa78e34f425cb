import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../conversations/engine/clock.fake.js';
import { STREAM_REQUEST } from './language-model-contract.fake.js';
import { FakeLanguageModel } from './language-model.fake.js';
import { LanguageModelError } from './language-model.js';
import { streamWithFallback } from './model-fallback.js';

const REFUSED = new LanguageModelError('refused', false, 404);

describe('streamWithFallback', () => {
  let clock: FakeClock;
  let model: FakeLanguageModel;
  let controller: AbortController;
  let answered: string[];

  beforeEach(() => {
    clock = new FakeClock();
    model = new FakeLanguageModel(clock);
    controller = new AbortController();
    answered = [];
  });

  async function listen(fallback: string | null = 'second'): Promise<string> {
    const request = { ...STREAM_REQUEST, model: 'first' };
    const options = {
      model: fallback,
      afterMs: 3_000,
      timeoutMs: 10_000,
      setTimer: (task: () => void, ms: number) => clock.setTimeout(task, ms),
      onResponse: (name: string) => answered.push(name),
    };
    let text = '';
    for await (const delta of streamWithFallback(model, request, controller.signal, options)) {
      if (delta.kind === 'text') text += delta.text;
      if (delta.kind === 'tool_call') text += `<${delta.name}>`;
    }
    return text;
  }

  const asked = () => model.requests.map((request) => request.model);

  it('requests one model when it responds in time', async () => {
    model.willSay('  ', 'One ', { waitMs: 5_000 }, 'two.');
    const text = listen();
    await clock.advance(6_000);
    expect(await text).toBe('One two.');
    expect([asked(), answered]).toEqual([['first'], ['first']]);
  });

  it('requests the fallback when no useful text arrives in time, and uses whichever is first', async () => {
    model.willSay(' ', { waitMs: 6_000 }, 'late').willSay({ waitMs: 500 }, { call: 'look_up' });
    const text = listen();
    await clock.advance(2_999);
    expect(asked()).toEqual(['first']);
    await clock.advance(501);
    expect(await text).toBe('<look_up>');
    expect([asked(), answered]).toEqual([['first', 'second'], ['second']]);
  });

  it('uses the first model when it responds before the fallback', async () => {
    model.willSay({ waitMs: 3_500 }, 'first').willSay({ waitMs: 9_000 }, 'second');
    const text = listen();
    await clock.advance(4_000);
    expect([await text, answered]).toEqual(['first', ['first']]);
  });

  it('requests the fallback at once when the first model refuses or returns nothing', async () => {
    model.willSay({ failure: REFUSED }).willSay('Yes.');
    expect(await listen()).toBe('Yes.');
    model.willSay(' ').willSay('Yes.');
    expect(await listen()).toBe('Yes.');
  });

  it('throws the first model’s error when neither responds', async () => {
    model.willSay({ failure: REFUSED }).willSay({ failure: new LanguageModelError('down', true, 503) });
    await expect(listen()).rejects.toBe(REFUSED);
    model.willSay({ failure: REFUSED });
    await expect(listen(null)).rejects.toBe(REFUSED);
  });

  it('ends after the limit', async () => {
    model.willSay({ waitMs: 60_000 }).willSay({ waitMs: 60_000 });
    const failure = listen().catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await failure).toMatchObject({ message: 'The language model is too slow', retryable: true });
  });

  it('ends without an error when the caller aborts', async () => {
    model.willSay({ waitMs: 60_000 });
    const text = listen();
    await clock.advance(100);
    controller.abort();
    expect([await text, asked()]).toEqual(['', ['first']]);
  });
});
