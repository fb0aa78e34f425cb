import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './relay-rules.js';
import { parseTwiml } from './twiml.js';

const VOICE = 'UgBBYS2sOqTuMpoF3BR0';

function refusal(relay: Record<string, string>, language: Record<string, string> = { code: 'en-US' }) {
  const rendered = (attributes: Record<string, string>) =>
    Object.entries(attributes)
      .map(([name, value]) => ` ${name}="${value}"`)
      .join('');
  const noun = `<ConversationRelay url="wss://x/y"${rendered(relay)}><Language${rendered(language)}/></ConversationRelay>`;
  const [verb] = parseTwiml(`<Response>${noun}</Response>`) ?? [];
  if (verb === undefined) throw new Error('no document');
  return refusalOf(verb);
}

describe('what the carrier accepts in a <ConversationRelay>', () => {
  it.each<Record<string, string>>([
    { interruptible: 'any', welcomeGreetingInterruptible: 'speech', reportInputDuringAgentSpeech: 'none' },
    { interruptible: 'true', preemptible: 'false', dtmfDetection: 'true', ignoreBackchannel: 'true' },
    { speechTimeout: '600', eotThreshold: '0.90', interruptSensitivity: 'low' },
    { speechTimeout: 'auto', events: 'speaker-events tokens-played', applicationReconnect: 'true' },
    { transcriptionProvider: 'Deepgram', speechModel: 'flux', backgroundNoiseReduction: 'true' },
  ])('accepts %j', (attributes) => {
    expect(refusal(attributes)).toBeNull();
  });

  it.each([
    [{ interruptible: 'maybe' }, 'Invalid value for interruptible: maybe'],
    [{ interruptSensitivity: 'extreme' }, 'Invalid value for interruptSensitivity: extreme'],
    [{ speechTimeout: '599' }, 'Invalid value for speechTimeout: 599'],
    [{ speechTimeout: '5001' }, 'Invalid value for speechTimeout: 5001'],
    [{ eotThreshold: '0.95' }, 'Invalid value for eotThreshold: 0.95'],
    [{ language: 'english' }, 'Invalid value for language: english'],
    [{ ttsProvider: 'OpenAI' }, 'Invalid value for ttsProvider: OpenAI'],
    [{ mood: 'good' }, 'Unknown attribute: mood'],
    [
      { transcriptionProvider: 'Google', speechModel: 'flux' },
      'Invalid combination of transcriptionProvider and speechModel',
    ],
  ])('refuses %j', (attributes, why) => {
    expect(refusal(attributes as Record<string, string>)).toBe(why);
  });

  it.each([
    ['Amazon', 'Joanna-Neural', 'en-US'],
    ['Amazon', 'Zhiyu-Neural', 'zh-CN'],
    ['Google', 'pl-PL-Standard-A', 'pl-PL'],
    ['ElevenLabs', VOICE, 'de-DE'],
    ['ElevenLabs', `${VOICE}-flash_v2_5-1.0_0.7_0.5`, 'de-DE'],
    ['ElevenLabs', `${VOICE}-turbo_v2-1.2_0.0_1.0`, 'en-GB'],
  ])('allows %s %s to speak %s', (ttsProvider, voice, code) => {
    expect(refusal({}, { code, ttsProvider, voice })).toBeNull();
  });

  it.each([
    [{ code: 'hr-HR' }, 'Invalid combination of transcriptionProvider Deepgram and hr-HR'],
    [{ code: 'ca-ES' }, 'ElevenLabs has no voice for ca-ES'],
    [{ code: 'ca-ES', ttsProvider: 'Google' }, null],
    [{ code: 'hr-HR', transcriptionProvider: 'Google' }, null],
  ])('judges the providers of %j', (language, why) => {
    expect(refusal({ language: language.code }, language as Record<string, string>)).toBe(why);
  });

  it.each([
    ['Amazon', 'Vicki-Neural', 'en-US'],
    ['Amazon', 'Joanna', 'en-US'],
    ['Amazon', 'Nobody-Neural', 'en-US'],
    ['Google', 'pl-PL-Standard-A', 'de-DE'],
    ['ElevenLabs', 'Rachel', 'en-US'],
    ['ElevenLabs', `${VOICE}-1_0.7_0.5`, 'en-US'],
    ['ElevenLabs', `${VOICE}-1.3_0.7_0.5`, 'en-US'],
    ['ElevenLabs', `${VOICE}-1.0_0.7_1.5`, 'en-US'],
    ['ElevenLabs', `${VOICE}-flash_v2`, 'de-DE'],
    ['ElevenLabs', VOICE, 'ca-ES'],
  ])('does not allow %s %s to speak %s', (ttsProvider, voice, code) => {
    expect(refusal({}, { code, ttsProvider, voice })).toMatch(/^Invalid combination of ttsProvider/);
  });
});
