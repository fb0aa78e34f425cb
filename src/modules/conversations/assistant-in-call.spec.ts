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
} as unknown as AssistantView;
const plan = (fields: Partial<AssistantView>) => {
  const call = { type: 'outbound', leadId: null, variables: {}, transfers: [] } as unknown as CallView;
  return planConversation({ ...assistant, ...fields }, call, {
    aiDisclosure: true,
    fallbackAfterMs: 3_000,
    now: new Date(0),
    speaks: () => true,
  });
};

describe('the settings of an assistant in a call', () => {
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
