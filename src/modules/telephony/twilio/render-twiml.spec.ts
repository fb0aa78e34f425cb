import { describe, expect, it } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import twilio from 'twilio';
import type { RelaySettings } from '../call-session.js';
import { fakeRelaySettings, fakeTelephonySettings } from '../telephony.fake.js';
import { renderTwiml } from './render-twiml.js';
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
  return parser.parse(renderTwiml(plan, urls)).Response;
}

describe('renderTwiml', () => {
  it('connects the call to our socket, with the token in path and parameter', () => {
    const { Connect, Start } = relayOf({});
    expect(Connect.action).toBe('https://calls.example.com/telephony/action/tok-1#rc=5&rp=all');
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

  it('writes whole numbers of a voice with a decimal point, as the carrier requires', () => {
    const settings = { speechSpeed: 1, voiceStability: 0, voiceSimilarity: 1 };
    expect(relayOf(settings).Connect.ConversationRelay.Language.voice).toMatch(/-1\.0_0\.0_1\.0$/);
  });

  it('omits the greeting when the customer speaks first or the call resumes', () => {
    expect(relayOf({ greeting: null }).Connect.ConversationRelay).not.toHaveProperty('welcomeGreeting');
  });

  it('keeps any greeting as it is, whatever characters it has', () => {
    const greeting = `Tom & "Jerry" <say> 'hi' – ¿qué? 😀`;
    expect(relayOf({ greeting }).Connect.ConversationRelay.welcomeGreeting).toBe(greeting);
  });

  it('removes characters that XML does not allow', () => {
    const greeting = `bell\u0007, nul\u0000 and half\ud800`;
    expect(relayOf({ greeting }).Connect.ConversationRelay.welcomeGreeting).toBe('bell, nul and half\ufffd');
  });

  it.each([
    [
      { allowInterruptions: false },
      { interruptible: 'none', preemptible: 'false', reportInputDuringAgentSpeech: 'any' },
    ],
    [
      { minInterruptWords: 3 },
      { interruptible: 'none', preemptible: 'true', reportInputDuringAgentSpeech: 'any' },
    ],
    [{ minInterruptWords: 1 }, { interruptible: 'any', preemptible: 'false', interruptSensitivity: 'high' }],
    [{ interruptSensitivity: 0 }, { interruptSensitivity: 'high', ignoreBackchannel: 'false' }],
    [{ interruptSensitivity: 0.5 }, { interruptSensitivity: 'high', ignoreBackchannel: 'true' }],
    [{ interruptSensitivity: 0.6 }, { interruptible: 'any', interruptSensitivity: 'medium' }],
    [{ interruptSensitivity: 1.9 }, { interruptSensitivity: 'medium' }],
    [{ interruptSensitivity: 2 }, { interruptSensitivity: 'low', ignoreBackchannel: 'true' }],
    [{ endpointSensitivity: 0 }, { speechTimeout: '600' }],
    [{ endpointSensitivity: 0.5 }, { speechTimeout: '600' }],
    [{ endpointSensitivity: 1.25 }, { speechTimeout: '1250' }],
    [{ endpointSensitivity: 5 }, { speechTimeout: '5000' }],
    [{ voiceStability: 1 }, { Language: { voice: 'UgBBYS2sOqTuMpoF3BR0-flash_v2_5-1.1_1.0_0.5' } }],
    [
      { endpointType: 'ai', endpointSensitivity: 0 },
      { eotThreshold: '0.50', Language: { speechModel: 'flux' } },
    ],
    [{ endpointType: 'ai', endpointSensitivity: 5 }, { eotThreshold: '0.90' }],
    [{ noiseCancellation: true }, { backgroundNoiseReduction: 'true' }],
  ] as const)('translates %j', (changes, expected) => {
    expect(relayOf(changes).Connect.ConversationRelay).toMatchObject(expected);
  });

  it('uses silence when the recogniser does not support the language', () => {
    const relay = relayOf({ endpointType: 'ai', language: 'pl-PL' }).Connect.ConversationRelay;
    expect(relay).toHaveProperty('speechTimeout');
    expect(relay).not.toHaveProperty('eotThreshold');
  });

  it('names the languages that the call may change to, each with voice and recogniser', () => {
    const { Language } = relayOf({ otherLanguages: ['de-DE', 'hr-HR'] }).Connect.ConversationRelay;
    const voice = { ttsProvider: 'ElevenLabs', voice: 'UgBBYS2sOqTuMpoF3BR0-flash_v2_5-1.1_0.7_0.5' };
    expect(Language).toEqual([
      { code: 'en-US', ...voice },
      { code: 'de-DE', ...voice },
      { code: 'hr-HR', ...voice, transcriptionProvider: 'Google' },
    ]);
  });

  it.each([
    ['ar-SA', 'Google'],
    ['he-IL', 'Google'],
    ['hr-HR', 'Google'],
    ['hu-HU', undefined],
    ['zh-CN', undefined],
  ])('has %s transcribed by %s', (language, provider) => {
    const relay = relayOf({ language }).Connect.ConversationRelay;
    expect(relay.Language.transcriptionProvider).toBe(provider);
  });

  it.each(['ca-ES', 'he-IL'])('has %s spoken by a provider that supports it', (language) => {
    const relay = relayOf({ language }).Connect.ConversationRelay;
    expect(relay.Language).toMatchObject({ code: language, ttsProvider: 'Google' });
    expect(relay.Language).not.toHaveProperty('voice');
  });

  it('leaves out a voice that the carrier refused, and the languages that it may have been refused for', () => {
    const settings = { defaultVoice: true, otherLanguages: ['de-DE'] };
    const language = relayOf(settings).Connect.ConversationRelay.Language;
    expect(language).toEqual({ code: 'en-US' });
    expect(settingsNotApplied(fakeRelaySettings({ defaultVoice: true }))).toEqual(['voice_id']);
  });

  it('speaks a sentence before it hangs up', () => {
    const say = { text: 'Bis bald & danke.', language: 'de-DE' };
    expect(renderTwiml({ kind: 'hangup', say }, urls)).toContain(
      '<Response><Say language="de-DE">Bis bald &amp; danke.</Say><Hangup/></Response>',
    );
  });

  it('reports that a sentence is spoken, in the voice of the call where <Say> has it', () => {
    const said = (language: string, provider: string, name: string) => {
      const say = { text: 'Bye.', language, voice: { provider, voice: name } };
      return renderTwiml({ kind: 'hangup', say, confirm: 'tok-1' }, urls);
    };
    expect(said('en-US', 'Amazon', 'Joanna-Neural')).toContain(
      '<Response><Say language="en-US" voice="Polly.Joanna-Neural">Bye.</Say>' +
        '<Redirect>https://calls.example.com/telephony/spoken/tok-1#rc=5&amp;rp=all</Redirect></Response>',
    );
    expect(said('pl-PL', 'Google', 'pl-PL-Standard-A')).toContain('voice="Google.pl-PL-Standard-A"');
    expect(said('en-US', 'ElevenLabs', 'UgBB')).toContain('<Say language="en-US">');
    expect(said('ar-SA', 'Amazon', 'Hala-Neural')).toContain('<Say language="ar-SA">');
  });

  it('passes the history of broken sessions to the action URL', () => {
    const plan = { kind: 'converse', token: 'tok-1', settings: fakeRelaySettings() } as const;
    const { Connect } = parser.parse(
      renderTwiml(plan, urls, { resumedAt: [1, 2], defaultVoice: true }),
    ).Response;
    expect(Connect.action).toBe(
      'https://calls.example.com/telephony/action/tok-1?resumed=1,2&voice=default#rc=5&rp=all',
    );
  });

  it('calls a person as the official library writes it', () => {
    const plan = {
      kind: 'transfer',
      token: 'tok-1',
      transfer: 7,
      from: '+14155550100',
      to: '+14155550177',
      ringSeconds: 20,
      maxSeconds: 290,
    } as const;
    const official = new twilio.twiml.VoiceResponse();
    const dial = official.dial({
      action: 'https://calls.example.com/telephony/transfer/tok-1/7?voice=default#rc=5&rp=all',
      callerId: '+14155550100',
      timeout: 20,
      timeLimit: 290,
    });
    dial.number(
      {
        statusCallback: 'https://calls.example.com/telephony/transfer-status/tok-1/7',
        statusCallbackEvent: ['answered', 'completed'],
      },
      '+14155550177',
    );
    const document = renderTwiml(plan, urls, { resumedAt: [1], defaultVoice: true });
    expect(parser.parse(document)).toEqual(parser.parse(official.toString()));
  });

  it("streams the call's audio as the carrier's own library would write it, with notices before", () => {
    const official = new twilio.twiml.VoiceResponse();
    official.start().recording({
      recordingStatusCallback: 'https://calls.example.com/telephony/recording/tok-1',
    });
    official.say({ language: 'en-US' }, 'Calls are <recorded>.');
    const connect = official.connect({
      action: 'https://calls.example.com/telephony/action/tok-1?resumed=7#rc=5&rp=all',
    });
    const stream = connect.stream({ url: 'wss://calls.example.com/telephony/stream/tok-1/7' });
    stream.parameter({ name: 'token', value: 'tok-1' });
    const notices = { text: 'Calls are <recorded>.', language: 'en-US' };
    const plan = { kind: 'stream', token: 'tok-1', notices, record: true } as const;
    const document = renderTwiml(plan, urls, { resumedAt: [7], defaultVoice: false });
    const ordered = new XMLParser({ ignoreAttributes: false, preserveOrder: true });
    expect(ordered.parse(document)).toEqual(ordered.parse(official.toString()));
  });

  it('streams without notices and recording', () => {
    const plan = { kind: 'stream', token: 'tok-1', notices: null, record: false } as const;
    const { Connect, ...others } = parser.parse(renderTwiml(plan, urls)).Response;
    expect(others).toEqual({});
    expect(Connect.Stream.url).toBe('wss://calls.example.com/telephony/stream/tok-1');
  });

  it('rejects and hangs up', () => {
    expect(renderTwiml({ kind: 'reject', busy: false }, urls)).toContain('<Response><Reject/></Response>');
    expect(renderTwiml({ kind: 'reject', busy: true }, urls)).toContain('<Reject reason="busy"/>');
    expect(renderTwiml({ kind: 'hangup' }, urls)).toContain('<Response><Hangup/></Response>');
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
    expect(languageAttributes(settings)).toEqual([{ code: 'en-US' }]);
  });
});
