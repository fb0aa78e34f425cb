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
  recordCall: true,
} as unknown as AssistantView;
const plan = (changes: Partial<AssistantView>, maxDuration = 600) => {
  const call = {
    type: 'outbound',
    leadId: null,
    transfers: [],
    variables: { name: 'Grace' },
    maxDuration,
  } as unknown as CallView;
  const options = { fallbackAfterMs: 3_000, aiDisclosure: true, now: new Date(0), speaks: () => true };
  return planConversation({ ...assistant, ...changes }, call, options);
};

describe('the settings of an assistant', () => {
  it('reach the engine', () => {
    const settings = { reengagementPrompt: 'Ask.', maxInitialSilenceDuration: 7, fallbackModel: 'gpt-4.1' };
    expect(plan(settings).settings).toMatchObject({
      reengagementPrompt: 'Ask.',
      maxInitialSilenceSeconds: 7,
      fallbackModel: 'gpt-4.1',
    });
  });

  it('leave the voice to the carrier where it does not speak the language', () => {
    expect(plan({ voice: null }).relay.voice).toEqual({ provider: '', voice: '' });
    expect(plan({}).relay.voice).toEqual({ provider: 'elevenlabs', voice: 'rachel' });
  });
});

describe('the longest conversation', () => {
  it('is that of the assistant', () => {
    expect(plan({}, 600).settings.maxDurationSeconds).toBe(600);
  });

  it('ends before the carrier ends it where the balance pays for less', () => {
    expect(plan({}, 60).settings.maxDurationSeconds).toBe(50);
  });
});

describe('the disclosure', () => {
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
