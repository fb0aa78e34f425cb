import { XMLBuilder } from 'fast-xml-parser';
import type { CallInstructions, CarrierSpeech, TransferInstructions } from '../carrier-reports.js';
import type { RelaySettings } from '../call-session.js';
import {
  endOfTurnAttributes,
  languageAttributes,
  sayVoiceAttributes,
  turnTakingAttributes,
  type TwimlAttributes,
} from './relay-attributes.js';
import { NO_SESSION_BREAKS, type SessionBreaks } from './session-breaks.js';
import type { TwilioUrlsService } from './twilio-urls.service.js';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

const DECLARATION = { '@version': '1.0', '@encoding': 'UTF-8' };

/** Instructions for a call as TwiML. */
export function renderTwiml(
  plan: CallInstructions,
  urls: TwilioUrlsService,
  breaks: SessionBreaks = NO_SESSION_BREAKS,
): string {
  return builder.build({ '?xml': DECLARATION, Response: response(plan, urls, breaks) });
}

function response(plan: CallInstructions, urls: TwilioUrlsService, breaks: SessionBreaks): object {
  if (plan.kind === 'reject') return { Reject: plan.busy ? attributes({ reason: 'busy' }) : '' };
  if (plan.kind === 'hangup') {
    const next = plan.confirm === undefined ? { Hangup: '' } : { Redirect: urls.spoken(plan.confirm) };
    return { ...say(plan.say), ...next };
  }
  if (plan.kind === 'transfer') return { Dial: dial(plan, urls, breaks) };
  const { token } = plan;
  const action = attributes({ action: urls.action(token, breaks) });
  if (plan.kind === 'stream') {
    return {
      ...recording(plan.record, urls.recording(token)),
      ...say(plan.notices ?? undefined),
      Connect: { ...action, Stream: stream(urls.stream(token, breaks), token) },
    };
  }
  return {
    ...recording(plan.settings.record, urls.recording(token)),
    Connect: { ...action, ConversationRelay: relay(urls.relay(token, breaks), token, plan.settings) },
  };
}

/** The only way that works beside the relay and a stream. */
const recording = (isWanted: boolean, callback: string): object =>
  isWanted ? { Start: { Recording: attributes({ recordingStatusCallback: callback }) } } : {};

const stream = (url: string, token: string): object => ({
  ...attributes({ url }),
  Parameter: attributes({ name: 'token', value: token }),
});

/** A running recording continues. */
function dial(plan: TransferInstructions, urls: TwilioUrlsService, { defaultVoice }: SessionBreaks): object {
  const { token, transfer, from, to, ringSeconds, maxSeconds } = plan;
  return {
    ...attributes({
      action: urls.transfer(token, transfer, { ...NO_SESSION_BREAKS, defaultVoice }),
      callerId: from,
      timeout: String(ringSeconds),
      timeLimit: String(maxSeconds),
    }),
    Number: {
      ...attributes({
        statusCallback: urls.transferStatus(token, transfer),
        statusCallbackEvent: 'answered completed',
      }),
      '#text': to,
    },
  };
}

function say(said?: CarrierSpeech): object {
  if (!said) return {};
  const { text, language, voice } = said;
  return {
    Say: { ...attributes({ language, ...sayVoiceAttributes(language, voice) }), '#text': printable(text) },
  };
}

function relay(url: string, token: string, settings: RelaySettings): object {
  return {
    ...attributes({
      url,
      ...(settings.greeting ? { welcomeGreeting: settings.greeting } : {}),
      language: settings.language,
      ...turnTakingAttributes(settings),
      ...endOfTurnAttributes(settings),
      ...(settings.noiseCancellation ? { backgroundNoiseReduction: 'true' } : {}),
      dtmfDetection: 'true',
      applicationReconnect: 'true',
      events: 'speaker-events tokens-played',
    }),
    Language: languageAttributes(settings).map(attributes),
    Parameter: attributes({ name: 'token', value: token }),
  };
}

const attributes = (values: TwimlAttributes): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, printable(value)]));

/** XML 1.0 has no way to write control characters and lone surrogates; one in a greeting would break the call. */
const printable = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
