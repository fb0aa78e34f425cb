import { describe, expect, it } from '@jest/globals';
import type { RelaySettings } from '#src/modules/telephony/call-session.js';
import { fakeRelaySettings, fakeTelephonySettings } from '#src/modules/telephony/telephony.fake.js';
import { renderTwiml } from '#src/modules/telephony/twilio/render-twiml.js';
import { TwilioUrlsService } from '#src/modules/telephony/twilio/twilio-urls.service.js';
import { refusalOf } from '../../tooling/sandbox/carrier/relay-rules.js';
import { childrenNamed, parseTwiml } from '../../tooling/sandbox/carrier/twiml.js';
import { SHIPPED_CATALOGUE } from '../support/scenarios/shipped-catalogue.js';

const { languages, voices } = SHIPPED_CATALOGUE;

const urls = new TwilioUrlsService(fakeTelephonySettings());

/** Why the sandbox's carrier refuses the answer document; null: it does not. */
function refusal(changes: Partial<RelaySettings>): string | null {
  const plan = { kind: 'converse', token: 'tok-1', settings: fakeRelaySettings(changes) } as const;
  const connect = parseTwiml(renderTwiml(plan, urls))?.find(({ name }) => name === 'Connect');
  const relay = connect && childrenNamed(connect, 'ConversationRelay')[0];
  return relay ? refusalOf(relay) : 'no relay';
}

describe('the voices of the catalogue', () => {
  it.each(voices.map((voice) => [voice.name, voice] as const))(
    '%s: the carrier accepts its documents in every language that it speaks',
    (_, { provider, providerVoice, languageId }) => {
      const voice = { provider, voice: providerVoice };
      const spoken = languages.filter(({ id }) => languageId === null || languageId === id);
      const refused = spoken.flatMap(({ tag: language }) =>
        (['vad', 'ai'] as const).flatMap((endpointType) =>
          [false, true].map((defaultVoice) => refusal({ language, voice, endpointType, defaultVoice })),
        ),
      );
      expect(refused.filter(Boolean)).toEqual([]);
    },
  );
});
