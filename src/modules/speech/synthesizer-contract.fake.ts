import { expect, it } from '@jest/globals';
import { recogniseTones, toneSpeech } from '../../../tooling/sandbox/speech/tones.js';
import { fromPcm } from './audio/audio-format.js';
import { SpeechError } from './speech-error.js';
import { SYNTHESIS_RATE, type SynthesisRequest, type Synthesizer } from './synthesizer.js';

export interface SynthesizerHarness {
  synthesizer: Synthesizer;
  /** Has a short timeout for silent providers. */
  withShortTimeout: Synthesizer;
  /** Accepted by the sandbox's provider, which speaks in tones. */
  request: SynthesisRequest;
  /** The request with a fault of the sandbox's provider: `breaks`, `stalls` or `busy`. */
  requestWithFault(flaw: string): SynthesisRequest;
  /** Settings that the provider received with the last text. */
  receivedSettings(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

interface RecognisedSpeech {
  texts: { text: string; complete: boolean }[];
  bytes: number;
}

/** @param stop after so many pieces @param onFirst called with the first piece */
async function recogniseSpeech(
  synthesizer: Synthesizer,
  request: SynthesisRequest,
  stop = Infinity,
  onFirst: () => void = () => undefined,
): Promise<RecognisedSpeech> {
  const abort = new AbortController();
  const pieces: Buffer[] = [];
  for await (const piece of synthesizer.speak(request, abort.signal)) {
    if (pieces.length === 0) onFirst();
    pieces.push(piece);
    if (pieces.length >= stop) abort.abort();
  }
  const audio = Buffer.concat(pieces);
  // Tones are below 3 kHz: a third of the samples is enough to recognise them.
  const samples = fromPcm(audio).filter((_, index) => index % 3 === 0);
  return { texts: recogniseTones(samples, SYNTHESIS_RATE / 3), bytes: audio.length };
}

/** All of the texts, without further audio. */
const completeSpeech = (...texts: string[]): RecognisedSpeech => ({
  texts: texts.map((text) => ({ text, complete: true })),
  bytes: texts.reduce((sum, text) => sum + toneSpeech(text, SYNTHESIS_RATE).length * 2, 0),
});

async function failureOf(synthesizer: Synthesizer, request: SynthesisRequest): Promise<SpeechError> {
  const failure: unknown = await recogniseSpeech(synthesizer, request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SpeechError);
  return failure as SpeechError;
}

const LONG = 'A long sentence that nobody wants to hear to its end.';

/** The contract of synthesizers: each check by its name. A server with a defect fails at least one. */
export const SYNTHESIZER_CONTRACT: Record<string, (harness: SynthesizerHarness) => Promise<void>> = {
  'speaks one text after the other, each whole': async ({ synthesizer, request }) => {
    for (const text of ['Good morning.', 'Wir öffnen um neun Uhr.', 'Yes.'])
      expect(await recogniseSpeech(synthesizer, { ...request, text })).toEqual(completeSpeech(text));
  },
  'speaks the languages of the catalogue with the codes of the provider, or without a code': async (
    harness,
  ) => {
    const { synthesizer, request } = harness;
    for (const language of ['de-DE', 'nb-NO', 'zh-CN'])
      expect(await recogniseSpeech(synthesizer, { ...request, language, text: 'Ja.' })).toEqual(
        completeSpeech('Ja.'),
      );
  },
  'speaks several texts at the same time, independently': async ({ synthesizer, request }) => {
    const texts = ['One of them.', 'Another one.', 'A third one.'];
    const all = await Promise.all(texts.map((text) => recogniseSpeech(synthesizer, { ...request, text })));
    expect(all).toEqual(texts.map((text) => completeSpeech(text)));
  },
  'speaks a long text to its end': async ({ synthesizer, request }) => {
    const text = 'A sentence of 25 letters. '.repeat(8).trim();
    let bytes = 0;
    for await (const piece of synthesizer.speak({ ...request, text }, new AbortController().signal))
      bytes += piece.length;
    expect(bytes).toBe(toneSpeech(text, SYNTHESIS_RATE).length * 2);
  },
  'speaks the rest of a text that follows while its beginning is spoken': async ({
    synthesizer,
    request,
  }) => {
    if (!synthesizer.takesRest) return;
    for (const rest of ['there is a place.', ''])
      expect(
        await recogniseSpeech(synthesizer, { ...request, text: 'On Friday,', rest: Promise.resolve(rest) }),
      ).toEqual(completeSpeech('On Friday,', ...(rest === '' ? [] : [rest])));
    let follow: (rest: string) => void = () => undefined;
    const rest = new Promise<string>((resolve) => (follow = resolve));
    const spoken = recogniseSpeech(synthesizer, { ...request, text: 'Later,', rest }, Infinity, () =>
      follow('or never.'),
    );
    expect(await spoken).toEqual(completeSpeech('Later,', 'or never.'));
  },
  'stops on abort while the rest of a text is awaited, and then speaks the next text only': async (
    harness,
  ) => {
    const { synthesizer, request } = harness;
    if (!synthesizer.takesRest) return;
    for (const text of ['The next one.', 'And one more.', 'One more again.', 'Or two.', 'The last one.']) {
      const rest = new Promise<string>(() => undefined);
      expect(await recogniseSpeech(synthesizer, { ...request, text: LONG, rest }, 1)).not.toEqual(
        completeSpeech(LONG),
      );
      expect(await recogniseSpeech(synthesizer, { ...request, text })).toEqual(completeSpeech(text));
    }
  },
  'stops on abort, and then speaks the next text only': async ({ synthesizer, request }) => {
    for (const text of ['The next one.', 'And one more.', 'The last of them.']) {
      expect(await recogniseSpeech(synthesizer, { ...request, text: LONG }, 1)).not.toEqual(
        completeSpeech(LONG),
      );
      expect(await recogniseSpeech(synthesizer, { ...request, text })).toEqual(completeSpeech(text));
    }
  },
  'returns no audio when it was aborted before': async ({ synthesizer, request }) => {
    for await (const piece of synthesizer.speak(request, AbortSignal.abort())) expect(piece).toBeUndefined();
  },
  'fails with an error that is not retryable for another key, voice or model': async ({
    synthesizer,
    request,
  }) => {
    const { provider, voice } = request;
    const model = { ...request, provider: { ...provider, model: 'no-such-model' } };
    for (const wrong of [
      { ...request, provider: { ...provider, apiKey: 'other' } },
      { ...request, voice: 'nobody' },
      // Where the voice is the model, the model of the provider is not sent.
      ...(voice.startsWith(provider.model) ? [] : [model]),
    ])
      expect(await failureOf(synthesizer, wrong)).toMatchObject({ retryable: false });
  },
  'fails with a retryable error when the provider is busy, unreachable, silent or breaks off': async (
    harness,
  ) => {
    const { synthesizer, withShortTimeout, request, requestWithFault } = harness;
    const away = { ...request, provider: { ...request.provider, baseUrl: 'http://127.0.0.1:1' } };
    for (const asked of [requestWithFault('busy'), away, requestWithFault('breaks')])
      expect(await failureOf(synthesizer, { ...asked, text: LONG })).toMatchObject({ retryable: true });
    expect(await failureOf(withShortTimeout, requestWithFault('stalls'))).toMatchObject({ retryable: true });
    expect(await recogniseSpeech(synthesizer, request)).toEqual(completeSpeech(request.text));
  },
  'names no text in its failures': async ({ synthesizer, request, requestWithFault }) => {
    for (const asked of [{ ...request, voice: 'nobody' }, requestWithFault('busy')])
      expect((await failureOf(synthesizer, { ...asked, text: 'Secret.' })).message).not.toContain('Secret');
  },
  'passes the settings of the voice on, or lists those that it does not support': async (harness) => {
    const { synthesizer, request, receivedSettings } = harness;
    const settings = { speed: 1.1, stability: 0.3, similarity: 0.9 };
    await recogniseSpeech(synthesizer, { ...request, ...settings });
    const seen = await receivedSettings();
    const lacks = synthesizer.settingsNotApplied({ voice: request.voice, speed: settings.speed });
    for (const [name, value, setting] of [
      ['speed', 1.1, 'speech_speed'],
      ['stability', 0.3, 'voice_stability'],
      ['similarity_boost', 0.9, 'voice_similarity'],
    ] as const)
      expect([setting, seen[name] === value]).toEqual([setting, !lacks.includes(setting)]);
  },
};

export function describeSynthesizer(start: () => SynthesizerHarness): void {
  it.each(Object.entries(SYNTHESIZER_CONTRACT))('%s', (_, check) => check(start()));
}

/** The name of the first check that fails; null: all hold. */
export async function failedCheck<H>(
  contract: Record<string, (harness: H) => Promise<void>>,
  harness: H,
): Promise<string | null> {
  for (const [name, check] of Object.entries(contract)) {
    const holds = await check(harness).then(
      () => true,
      () => false,
    );
    if (!holds) return name;
  }
  return null;
}
