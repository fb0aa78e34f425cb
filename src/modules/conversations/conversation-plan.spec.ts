import { describe, expect, it } from '@jest/globals';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { planConversation } from './conversation-plan.js';

const assistant = {
  name: 'Ada',
  timezone: 'UTC',
  initialMessage: 'Hello',
  systemPrompt: 'Be kind.',
  language: { tag: 'en-US' },
  otherLanguages: [],
  voice: { provider: 'elevenlabs', providerVoice: 'rachel' },
  tools: [],
  transferNumbers: [],
  maxCallDuration: 600,
} as unknown as AssistantView;
const longest = (maxDuration: number): number => {
  const call = {
    type: 'outbound',
    leadId: null,
    variables: {},
    transfers: [],
    maxDuration,
  } as unknown as CallView;
  const options = { fallbackAfterMs: 3_000, aiDisclosure: true, now: new Date(0), speaks: () => true };
  return planConversation(assistant, call, options).settings.maxDurationSeconds;
};

describe('the longest conversation', () => {
  it('is that of the assistant', () => {
    expect(longest(600)).toBe(600);
  });

  it('ends before the carrier ends it where the balance pays for less', () => {
    expect(longest(60)).toBe(50);
  });
});

describe('the disclosure', () => {
  const plan = (changes: Partial<AssistantView>) => {
    const call = {
      type: 'outbound',
      leadId: null,
      transfers: [],
      variables: { name: 'Grace' },
      maxDuration: 600,
    } as unknown as CallView;
    const options = { fallbackAfterMs: 3_000, aiDisclosure: true, now: new Date(0), speaks: () => true };
    return planConversation({ ...assistant, recordCall: true, ...changes }, call, options);
  };
  const notice = 'You are speaking with an automated assistant. This call is recorded.';

  it('begins the greeting', () => {
    const { relay, settings } = plan({});
    expect(relay.greeting).toBe(`${notice} Hello`);
    expect(settings).toMatchObject({ greeting: relay.greeting, notice });
  });

  it('is spoken by the engine, not by the model, when the customer speaks first', () => {
    const { relay, settings } = plan({ waitForCustomer: true });
    expect(relay.greeting).toBeNull();
    expect(settings).toMatchObject({ greeting: null, notice, systemPrompt: 'Be kind.' });
  });

  it('gives the prompt quoted values and the greeting plain ones', () => {
    const { settings } = plan({ systemPrompt: 'You call {name}.', initialMessage: 'Hi {{name}}!' });
    expect(settings.systemPrompt).toBe('You call "Grace".');
    expect(settings.prompt).toBe('You call {name}.');
    expect(settings.greeting).toBe(`${notice} Hi Grace!`);
  });
});
