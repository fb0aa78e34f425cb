import type { RelaySettings } from './call-session.js';
import type { TelephonySettings } from './telephony-settings.js';

/** Settings of tests; `publicUrl` and `apiUrl` may be filled in once their ports are bound. */
export function fakeTelephonySettings(changes: Partial<TelephonySettings> = {}): {
  -readonly [K in keyof TelephonySettings]: TelephonySettings[K];
} {
  return {
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'secret-of-the-account',
    apiUrl: null,
    publicUrl: 'https://calls.example.com',
    ...changes,
  };
}

export function fakeRelaySettings(changes: Partial<RelaySettings> = {}): RelaySettings {
  return {
    greeting: 'Hello, this is Ada.',
    language: 'en-US',
    otherLanguages: [],
    voice: { provider: 'ElevenLabs', voice: 'UgBBYS2sOqTuMpoF3BR0-flash_v2_5' },
    voiceStability: 0.7,
    voiceSimilarity: 0.5,
    speechSpeed: 1.1,
    allowInterruptions: true,
    interruptSensitivity: 0.5,
    minInterruptWords: 0,
    endpointType: 'vad',
    endpointSensitivity: 0.5,
    noiseCancellation: true,
    ambientSound: false,
    ambientSoundVolume: 0.5,
    record: false,
    ...changes,
  };
}
