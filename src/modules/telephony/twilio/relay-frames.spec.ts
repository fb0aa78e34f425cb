import { describe, expect, it } from '@jest/globals';
import { parseRelayFrame } from './relay-frames.js';

describe('parseRelayFrame', () => {
  it.each([
    [
      { type: 'prompt', voicePrompt: 'Hi', lang: 'en-US', last: true },
      { kind: 'utterance', text: 'Hi', final: true },
    ],
    [
      { type: 'prompt', voicePrompt: 'Hi', last: false },
      { kind: 'utterance', text: 'Hi', final: false },
    ],
    [
      { type: 'interrupt', utteranceUntilInterrupt: 'We are', durationUntilInterruptMs: '460' },
      { kind: 'interrupted', heard: 'We are' },
    ],
    [
      { type: 'interrupt', durationUntilInterruptMs: 460 },
      { kind: 'interrupted', heard: '' },
    ],
    [
      { type: 'dtmf', digit: '#' },
      { kind: 'digit', digit: '#' },
    ],
    [
      { type: 'info', name: 'agentSpeaking', value: 'on' },
      { kind: 'speaking', who: 'assistant', on: true },
    ],
    [
      { type: 'info', name: 'clientSpeaking', value: 'off' },
      { kind: 'speaking', who: 'customer', on: false },
    ],
    [
      { type: 'info', name: 'tokensPlayed', value: 'Hello' },
      { kind: 'played', text: 'Hello' },
    ],
    [
      { type: 'error', description: 'bad token' },
      { kind: 'failed', reason: 'bad token' },
    ],
  ])('reads %j', (frame, event) => {
    expect(parseRelayFrame(JSON.stringify(frame))).toEqual(event);
  });

  it.each([
    'not json',
    'null',
    '[]',
    '{}',
    '{"type":"setup","callSid":"CA1"}',
    '{"type":"dtmf","digit":"12"}',
    '{"type":"dtmf"}',
    '{"type":"info","name":"agentSpeaking","value":"maybe"}',
    '{"type":"info","name":"weather","value":"on"}',
    '{"type":"something new"}',
  ])('ignores %s', (text) => {
    expect(parseRelayFrame(text)).toBeNull();
  });
});
