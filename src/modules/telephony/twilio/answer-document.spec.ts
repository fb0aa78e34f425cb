import { describe, expect, it } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import type { RelaySettings } from '../call-session.js';
import { fakeRelaySettings, fakeTelephonySettings } from '../telephony.fake.js';
import { renderAnswer } from './answer-document.js';
import { languageAttributes, settingsNotApplied } from './relay-attributes.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const urls = new TwilioUrlsService(fakeTelephonySettings());
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
});

function relayOf(changes: Partial<RelaySettings>) {
  const plan = { kind: 'converse', token: 'tok-1', settings: fakeRelaySettings(changes) } as const;
  return parser.parse(renderAnswer(plan, urls)).Response;
}

describe('renderAnswer', () => {
  it('connects the call to our socket, with the token in path and parameter', () => {
    const { Connect, Start } = relayOf({});
    expect(Connect.action).toBe('https://calls.example.com/telephony/action/tok-1');
    expect(Connect.ConversationRelay).toMatchObject({
      url: 'wss://calls.example.com/telephony/relay/tok-1',
      welcomeGreeting: 'Hello, this is Ada.',
      language: 'en-US',
      Parameter: { name: 'token', value: 'tok-1' },
      Language: {
        code: 'en-US',
        ttsProvider: 'ElevenLabs',
        voice: 'UgBBYS2sOqTuMpoF3BR0-flash_v2_5-1.1_0.7_0.5',
      },
    });
    expect(Start).toBeUndefined();
  });

  it('records through Start, the only way that works beside the relay', () => {
    expect(relayOf({ record: true }).Start.Recording.recordingStatusCallback).toBe(
      'https://calls.example.com/telephony/recording/tok-1',
    );
  });

  it('leaves the greeting out when the customer speaks first or the call resumes', () => {
    expect(relayOf({ greeting: null }).Connect.ConversationRelay).not.toHaveProperty('welcomeGreeting');
  });

  it('keeps any greeting as it is, whatever characters it has', () => {
    const greeting = `Tom & "Jerry" <say> 'hi' – ¿qué? 😀`;
    expect(relayOf({ greeting }).Connect.ConversationRelay.welcomeGreeting).toBe(greeting);
  });

  it('drops what XML cannot carry', () => {
    const greeting = `bell\u0007, nul\u0000 and half\ud800`;
    expect(relayOf({ greeting }).Connect.ConversationRelay.welcomeGreeting).toBe('bell, nul and half\ufffd');
  });

  it.each([
    [
      { allowInterruptions: false },
      { interruptible: 'none', preemptible: 'false', reportInputDuringAgentSpeech: 'none' },
    ],
    [
      { minInterruptWords: 3 },
      { interruptible: 'none', preemptible: 'true', reportInputDuringAgentSpeech: 'speech' },
    ],
    [{ minInterruptWords: 1 }, { interruptible: 'any', preemptible: 'false', interruptSensitivity: 'low' }],
    [{ interruptSensitivity: 2.5 }, { interruptible: 'any', interruptSensitivity: 'medium' }],
    [{ interruptSensitivity: 5 }, { interruptible: 'any', interruptSensitivity: 'high' }],
    [{ endpointSensitivity: 0 }, { speechTimeout: '1200' }],
    [{ endpointSensitivity: 5 }, { speechTimeout: '600' }],
    [
      { endpointType: 'ai', endpointSensitivity: 5 },
      { eotThreshold: '0.50', Language: { speechModel: 'flux' } },
    ],
    [{ noiseCancellation: true }, { backgroundNoiseReduction: 'true' }],
  ] as const)('translates %j', (changes, expected) => {
    expect(relayOf(changes).Connect.ConversationRelay).toMatchObject(expected);
  });

  it('judges by silence where the recogniser does not know the language', () => {
    const relay = relayOf({ endpointType: 'ai', language: 'pl-PL' }).Connect.ConversationRelay;
    expect(relay).toHaveProperty('speechTimeout');
    expect(relay).not.toHaveProperty('eotThreshold');
  });

  it('rejects and hangs up', () => {
    expect(renderAnswer({ kind: 'reject', busy: false }, urls)).toContain('<Response><Reject/></Response>');
    expect(renderAnswer({ kind: 'reject', busy: true }, urls)).toContain('<Reject reason="busy"/>');
    expect(renderAnswer({ kind: 'hangup' }, urls)).toContain('<Response><Hangup/></Response>');
  });
});

describe('settingsNotApplied', () => {
  it('is empty when the carrier can do everything', () => {
    expect(settingsNotApplied(fakeRelaySettings())).toEqual([]);
  });

  it('names what the voice, the recogniser and the relay cannot do', () => {
    const settings = fakeRelaySettings({
      voice: { provider: 'Google', voice: 'pl-PL-Standard-A' },
      language: 'pl-PL',
      endpointType: 'ai',
      ambientSound: true,
    });
    expect(settingsNotApplied(settings)).toEqual([
      'voice_stability',
      'voice_similarity',
      'speech_speed',
      'endpoint_type',
      'ambient_sound',
    ]);
  });

  it('names a voice that the relay does not have, and leaves it out of the document', () => {
    const settings = fakeRelaySettings({ voice: { provider: 'OpenAI', voice: 'alloy' } });
    expect(settingsNotApplied(settings)).toContain('voice_id');
    expect(languageAttributes(settings)).not.toHaveProperty('voice');
  });
});
