import { childrenNamed, type Verb } from './twiml.js';
import { voiceFault } from './voices.js';

type Rule = (value: string) => boolean;

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value.toLowerCase());
const between =
  (min: number, max: number): Rule =>
  (value) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) >= min && Number(value) <= max;
const anyText: Rule = () => true;
const boolean = oneOf('true', 'false');
const input = oneOf('none', 'dtmf', 'speech', 'any', 'true', 'false');
const languageTag: Rule = (value) =>
  value === 'multi' || /^[a-z]{2,3}(-[A-Z][a-z]{3})?-[A-Z0-9]{2,3}$/.test(value);
const recogniser = oneOf('google', 'deepgram');
const synthesiser = oneOf('google', 'amazon', 'elevenlabs');

/**
 * The carrier's values for each attribute of `<ConversationRelay>`. Some are lower case in its typings and camel case
 * in its documentation, so their case is ignored.
 */
const RELAY_RULES: Record<string, Rule> = {
  url: (value) => /^wss?:\/\//.test(value),
  welcomegreeting: anyText,
  welcomegreetinginterruptible: input,
  language: languageTag,
  ttslanguage: languageTag,
  ttsprovider: synthesiser,
  voice: anyText,
  transcriptionlanguage: languageTag,
  transcriptionprovider: recogniser,
  speechmodel: anyText,
  speechtimeout: (value) => value === 'auto' || between(600, 5000)(value),
  eotthreshold: between(0.5, 0.9),
  eagereotthreshold: between(0.3, 0.9),
  turndetection: anyText,
  interruptible: input,
  interruptsensitivity: oneOf('low', 'medium', 'high'),
  ignorebackchannel: boolean,
  dtmfdetection: boolean,
  reportinputduringagentspeech: input,
  preemptible: boolean,
  partialprompts: boolean,
  profanityfilter: boolean,
  deepgramsmartformat: boolean,
  elevenlabstextnormalization: oneOf('on', 'off', 'auto'),
  backgroundnoisereduction: anyText,
  applicationreconnect: boolean,
  hints: anyText,
  events: (value) => value.split(/[\s,]+/).every(oneOf('', 'speaker-events', 'tokens-played')),
  debug: (value) => value.split(/[\s,]+/).every(oneOf('', 'debugging', 'speaker-events', 'tokens-played')),
  intelligenceservice: anyText,
  conversationconfiguration: anyText,
};

const LANGUAGE_RULES: Record<string, Rule> = {
  code: languageTag,
  ttsprovider: synthesiser,
  voice: anyText,
  transcriptionprovider: recogniser,
  speechmodel: anyText,
};

/** The reason for which the carrier refuses this `<ConversationRelay>` (64101); null when it is valid. */
export function refusalOf(relay: Verb): string | null {
  const languages = childrenNamed(relay, 'Language');
  const wrong = [
    wrongAttribute(relay, RELAY_RULES),
    ...languages.map((language) => wrongAttribute(language, LANGUAGE_RULES)),
    ...[...languages, ...withoutOwn(relay, languages)].map((verb) => voiceProblem(verb, relay)),
    recogniserProblem([relay, ...languages]),
    ...languages.map(untranscribed),
  ];
  return wrong.find((problem) => problem !== null) ?? null;
}

function wrongAttribute({ attributes }: Verb, rules: Record<string, Rule>): string | null {
  const found = Object.entries(attributes).find(([name, value]) => !rules[name.toLowerCase()]?.(value));
  if (found === undefined) return null;
  const [name, value] = found;
  return name.toLowerCase() in rules ? `Invalid value for ${name}: ${value}` : `Unknown attribute: ${name}`;
}

/** The noun's attributes for its language apply when no `<Language>` has it. */
const withoutOwn = (relay: Verb, languages: readonly Verb[]): Verb[] =>
  languages.some(({ attributes }) => attributes['code'] === relay.attributes['language']) ? [] : [relay];

/** A `<Language>` without a voice uses the default of its provider. */
function voiceProblem({ name, attributes }: Verb, relay: Verb): string | null {
  const { voice } = attributes;
  const language =
    name === 'Language' ? attributes['code'] : (attributes['ttsLanguage'] ?? attributes['language']);
  const provider = attributes['ttsProvider'] ?? relay.attributes['ttsProvider'] ?? 'ElevenLabs';
  return voiceFault(provider, voice, language ?? 'en-US');
}

/** Languages that some models of the default recogniser do not support. */
const NOT_DEEPGRAM = /^(ar|he|hr)-/;

function untranscribed({ attributes }: Verb): string | null {
  const { code = '', transcriptionProvider = 'Deepgram' } = attributes;
  const isKnown = transcriptionProvider.toLowerCase() !== 'deepgram' || !NOT_DEEPGRAM.test(code);
  return isKnown ? null : `Invalid combination of transcriptionProvider ${transcriptionProvider} and ${code}`;
}

/** Flux is a model of Deepgram. */
function recogniserProblem(verbs: readonly Verb[]): string | null {
  const found = verbs.find(
    ({ attributes }) =>
      attributes['speechModel']?.startsWith('flux') &&
      attributes['transcriptionProvider'] !== undefined &&
      attributes['transcriptionProvider'].toLowerCase() !== 'deepgram',
  );
  return found === undefined ? null : 'Invalid combination of transcriptionProvider and speechModel';
}
