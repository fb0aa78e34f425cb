import type { Synthesis } from '../providers/provider-speech.js';
import { askedIn, baseName } from '../model-name.js';
import { ModelError } from './model-error.js';

/** As those of `providers/provider-speech.ts`. */
const SPEECH_FLAWS = ['breaks', 'stalls', 'busy'] as const;

export const MAX_FILE_BYTES = 25 * 1024 * 1024;
const MAX_INPUT = 4_096;
/** They take `languages`, and neither `language` nor `temperature`. */
const PRESENT_TRANSCRIPTION_MODELS = ['gpt-transcribe'];
const TRANSCRIPTION_MODELS = [
  ...PRESENT_TRANSCRIPTION_MODELS,
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
];
const SPEECH_MODELS = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];
const VOICES = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(' ');
/** The formats of the real endpoint that the sandbox can produce. */
const SPEECH_FORMATS = ['pcm', 'wav'];
const TEXT_FORMATS = ['json', 'text'];
const SPEECH_FIELDS = [
  'model',
  'input',
  'voice',
  'response_format',
  'speed',
  'instructions',
  'stream_format',
];

const refuse = (param: string, message: string, code: string | null = null): never => {
  throw new ModelError(400, message, code, param);
};

/** @throws ModelError for requests that the real endpoint refuses */
export function checkTranscription(
  file: Buffer | null,
  { model, language, response_format: format = 'json', temperature, ...others }: Record<string, string>,
): { format: string; model: string; flaw: string | null } {
  if (!file) refuse('file', "Missing required parameter: 'file'.", 'missing_required_parameter');
  const name = baseName(model ?? '');
  checkModel(name, TRANSCRIPTION_MODELS);
  const isPresent = PRESENT_TRANSCRIPTION_MODELS.includes(name);
  const spoken = others['languages[]'];
  for (const [param, given, isTaken] of [
    ['language', language, !isPresent],
    ['temperature', temperature, !isPresent],
    ['languages', spoken, isPresent],
  ] as const) {
    if (given !== undefined && !isTaken)
      refuse(
        param,
        `Unsupported parameter: '${param}' is not supported with this model.`,
        'unsupported_parameter',
      );
  }
  for (const given of [language, spoken])
    if (given !== undefined && !/^[a-z]{2}$/.test(given))
      refuse(
        'language',
        `Invalid language '${given}'. Language parameter must be specified in ISO-639-1 format.`,
      );
  if (!TEXT_FORMATS.includes(format)) refuse('response_format', 'The sandbox answers with json or text.');
  if (!(Number(temperature ?? 0) >= 0 && Number(temperature ?? 0) <= 1))
    refuse('temperature', 'Must be from 0 to 1.');
  const flaw = askedIn(model ?? '', SPEECH_FLAWS);
  if (flaw === 'busy') throw ModelError.tooMany();
  return { format, model: String(model), flaw };
}

interface AskedSpeech extends Pick<Synthesis, 'model' | 'voice' | 'settings'> {
  input: string;
  format: string;
  flaw: string | null;
}

/** @throws ModelError for requests that the real endpoint refuses */
export function checkSpeech(body: unknown): AskedSpeech {
  if (typeof body !== 'object' || body === null) return refuse('body', 'The body must be a JSON object.');
  const {
    model,
    input,
    voice,
    response_format: format = 'mp3',
    speed = 1,
    ...rest
  } = body as Record<string, unknown>;
  const flaw = typeof model === 'string' ? askedIn(model, SPEECH_FLAWS) : null;
  checkModel(typeof model === 'string' ? baseName(model) : model, SPEECH_MODELS);
  if (flaw === 'busy') throw ModelError.tooMany();
  for (const name of Object.keys(rest))
    if (!SPEECH_FIELDS.includes(name)) refuse(name, `Unrecognized request argument supplied: ${name}`);
  if (typeof input !== 'string' || input === '')
    return refuse('input', "Missing required parameter: 'input'.");
  if (input.length > MAX_INPUT)
    refuse('input', `String should have at most ${MAX_INPUT} characters`, 'string_too_long');
  if (!VOICES.includes(String(voice))) refuse('voice', `Input should be one of ${VOICES.join(', ')}`);
  if (typeof speed !== 'number' || speed < 0.25 || speed > 4) refuse('speed', 'Must be from 0.25 to 4.');
  if (!SPEECH_FORMATS.includes(String(format))) refuse('response_format', 'The sandbox makes pcm and wav.');
  return {
    input,
    format: String(format),
    flaw,
    model: String(model),
    voice: String(voice),
    settings: { speed },
  };
}

function checkModel(model: unknown, known: readonly string[]): void {
  if (typeof model !== 'string' || model === '') refuse('model', 'you must provide a model parameter');
  if (!known.includes(String(model)))
    throw new ModelError(404, `The model \`${String(model)}\` does not exist.`, 'model_not_found', 'model');
}
