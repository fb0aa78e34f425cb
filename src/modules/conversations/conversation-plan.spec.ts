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
  voice: { provider: 'elevenlabs', providerVoice: 'rachel' },
  tools: [],
  maxCallDuration: 600,
} as unknown as AssistantView;
const longest = (maxDuration: number): number => {
  const call = { type: 'outbound', variables: {}, maxDuration } as CallView;
  const options = { aiDisclosure: true, now: new Date(0) };
  return planConversation(assistant, call, options).settings.maxDurationSeconds;
};

describe('the longest conversation', () => {
  it('is that of the assistant', () => {
    expect(longest(600)).toBe(600);
  });

  it('ends before the carrier does where the balance pays for less', () => {
    expect(longest(60)).toBe(50);
  });
});
