import type { ModelEndpointSettings } from '#src/config/env.dto.js';
import type { Settings } from '#src/config/settings.js';
import { hasRetired, type SpeechProvider } from '#src/modules/catalog/catalog.js';
import { CatalogService } from '#src/modules/catalog/catalog.service.js';
import { CartesiaSynthesizerService } from '#src/modules/speech/cartesia/cartesia-synthesizer.service.js';
import { DeepgramSynthesizerService } from '#src/modules/speech/deepgram/deepgram-synthesizer.service.js';
import { DeepgramTranscriberService } from '#src/modules/speech/deepgram/deepgram-transcriber.service.js';
import { FluxTranscriberService } from '#src/modules/speech/deepgram/flux-transcriber.service.js';
import { ElevenLabsSynthesizerService } from '#src/modules/speech/elevenlabs/elevenlabs-synthesizer.service.js';
import { OpenAiSynthesizerService } from '#src/modules/speech/openai-speech/openai-synthesizer.service.js';
import { OpenAiTranscriberService } from '#src/modules/speech/openai-speech/openai-transcriber.service.js';
import { SpeechHttpService } from '#src/modules/speech/openai-speech/speech-http.service.js';
import { SpeechSocketsService } from '#src/modules/speech/sockets/speech-sockets.service.js';
import { SpeechAdaptersService } from '#src/modules/speech/speech-adapters.service.js';
import { SpeechError } from '#src/modules/speech/speech-error.js';
import { SYNTHESIS_RATE, type Synthesizer } from '#src/modules/speech/synthesizer.js';
import type { Transcriber, TranscriptionOptions } from '#src/modules/speech/transcriber.js';
import { withDataSource } from '../operator/data-source.js';
import { fail, ok, runCheck, warn, type CheckResult, type Finding } from './finding.js';

const TEXT = 'Good morning, this is a test.';
const LANGUAGE = 'en-US';
/** Later than that the customer notices a pause before each answer. */
const SLOW_AUDIO_MS = 1_000;
const SLOW_WORDS_MS = 1_500;
const WORDS_LIMIT_MS = 15_000;
const CORRECT = 'correct the endpoint, its key, the model or the voice: npm run cli -- providers set …';

export type SpeechEndpoints = Readonly<Record<string, ModelEndpointSettings>>;

/** The providers of the catalogue whose endpoint is set in SPEECH_ENDPOINTS: each speaks or transcribes a sentence. */
export async function checkSpeech(
  settings: Pick<Settings, 'speech' | 'databaseUrl' | 'dataDir'>,
): Promise<Finding[]> {
  const { endpoints } = settings.speech;
  if (Object.keys(endpoints).length === 0) return [];
  const providers = await withDataSource(settings, async (db) => {
    const { speechProviders } = await new CatalogService(db).readCatalog();
    return speechProviders;
  });
  return probeSpeech(providers, endpoints);
}

export async function probeSpeech(
  providers: readonly SpeechProvider[],
  endpoints: SpeechEndpoints,
): Promise<Finding[]> {
  const http = new SpeechHttpService();
  const sockets = new SpeechSocketsService();
  const adapters = new SpeechAdaptersService(
    new OpenAiSynthesizerService(http),
    new ElevenLabsSynthesizerService(sockets),
    new CartesiaSynthesizerService(sockets),
    new DeepgramSynthesizerService(sockets),
    new OpenAiTranscriberService(http),
    new DeepgramTranscriberService(),
    new FluxTranscriberService(),
  );
  const asked = providers.filter(
    (one) => one.endpoint !== null && Object.hasOwn(endpoints, one.endpoint) && !hasRetired(one),
  );
  try {
    let spoken: Buffer = Buffer.alloc(0);
    const findings: Finding[] = [];
    // Transcribers receive the audio of a synthesizer.
    for (const provider of asked.toSorted((one, other) => one.kind.localeCompare(other.kind))) {
      const { adapter, endpoint, name, kind, code } = provider;
      const at = endpoints[endpoint ?? ''];
      if (!at) continue;
      const access = { ...at, model: code };
      const check = async (): Promise<CheckResult> => {
        const [speaks, listens] = [adapters.findSynthesizer(adapter), adapters.findTranscriber(adapter)];
        if (kind === 'synthesizer' && speaks) {
          const { audio, firstMs } = await speak(speaks, access, provider.defaultVoice);
          if (spoken.length === 0) spoken = audio;
          return timed(`${code}: first audio after ${firstMs} ms`, firstMs > SLOW_AUDIO_MS);
        }
        if (kind === 'transcriber' && listens) return listen(listens, access, spoken);
        return fail(`the adapter ${adapter} has no ${kind}`, CORRECT);
      };
      findings.push(await runCheck(`speech ${name} (${kind})`, () => withRefusals(check)));
    }
    return findings;
  } finally {
    sockets.onApplicationShutdown();
    await http.onApplicationShutdown();
  }
}

type Access = TranscriptionOptions['provider'];

async function withRefusals(check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof SpeechError) return fail(error.message, CORRECT);
    throw error;
  }
}

const timed = (what: string, isSlow: boolean): CheckResult =>
  isSlow
    ? warn(`${what}; is slow`, 'customers hear a pause before each answer; choose another model')
    : ok(what);

async function speak(
  synthesizer: Synthesizer,
  provider: Access,
  voice: string | null,
): Promise<{ audio: Buffer; firstMs: number }> {
  if (voice === null) throw new SpeechError('it has no default voice', false);
  const started = performance.now();
  let firstMs: number | null = null;
  const pieces: Buffer[] = [];
  const settings = { speed: 1, stability: 0.7, similarity: 0.5 };
  const request = { provider, voice, text: TEXT, language: LANGUAGE, ...settings };
  for await (const piece of synthesizer.speak(request, new AbortController().signal)) {
    firstMs ??= Math.round(performance.now() - started);
    pieces.push(piece);
  }
  if (firstMs === null) throw new SpeechError('it speaks without audio', false);
  return { audio: Buffer.concat(pieces), firstMs };
}

/** @param spoken samples of the text; empty: only whether silence is taken is found out */
async function listen(transcriber: Transcriber, provider: Access, spoken: Buffer): Promise<CheckResult> {
  const silence = Buffer.alloc(SYNTHESIS_RATE);
  const started = performance.now();
  const text = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new SpeechError('no words came', true)), WORDS_LIMIT_MS);
    const options = {
      provider,
      format: 'pcm16-24000',
      language: LANGUAGE,
      endOfTurnSilenceMs: 600,
      endpointType: 'vad',
    } as const;
    const stream = transcriber.open(options, (event) => {
      if (event.kind === 'partial') return;
      clearTimeout(late);
      stream.close();
      if (event.kind === 'failed') reject(event.error);
      else resolve(event.text);
    });
    stream.speechStarted();
    for (const piece of [silence, spoken, silence]) if (piece.length > 0) stream.write(piece);
    stream.speechEnded();
  });
  const ms = Math.round(performance.now() - started);
  if (spoken.length > 0 && text === '') return warn(`${provider.model} understands nothing`, CORRECT);
  return timed(`${provider.model}: words after ${ms} ms`, ms > SLOW_WORDS_MS);
}
