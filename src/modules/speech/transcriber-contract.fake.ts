import { expect, it } from '@jest/globals';
import { encodeSpeech, FRAME_BYTES, SILENCE } from '../../../tooling/sandbox/speech/speech-code.js';
import type { Transcriber, TranscriptionEvent, TranscriptionOptions } from './transcriber.js';

export interface TranscriberHarness {
  transcriber: Transcriber;
  options: TranscriptionOptions;
}

/** Frames of 20 ms of silence that end the customer's speech for the voice detection. */
const END_FRAMES = 30;
const FINALS_TIMEOUT_MS = 5_000;

/** One transcription stream with the customer's audio and the recorded events. */
class RecordedStream {
  readonly events: TranscriptionEvent[] = [];
  private notify: () => void = () => undefined;
  private readonly stream;

  constructor({ transcriber, options }: TranscriberHarness) {
    this.stream = transcriber.open(options, (event) => {
      this.events.push(event);
      this.notify();
    });
  }

  /** @param silentFrames after the text @param ends whether the voice detection finds the end after them */
  says(text: string, silentFrames = END_FRAMES, ends = true): void {
    const frames = [...encodeSpeech(text, 4), ...this.silence(silentFrames)];
    frames.forEach((frame, index) => {
      this.stream.write(frame);
      if (index === 2) this.stream.speechStarted();
    });
    if (ends) this.stream.speechEnded();
  }

  waits(frames: number): void {
    for (const frame of this.silence(frames)) this.stream.write(frame);
  }

  close(): void {
    this.stream.close();
  }

  /** Resolves with the final texts when there are so many, or after a failure. */
  async finals(count: number): Promise<string[]> {
    const finals = (): string[] =>
      this.events.flatMap((event) => (event.kind === 'final' ? [event.text] : []));
    const late = setTimeout(() => this.notify(), FINALS_TIMEOUT_MS);
    const until = Date.now() + FINALS_TIMEOUT_MS;
    while (finals().length < count && !this.failure && Date.now() < until)
      await new Promise<void>((resolve) => (this.notify = resolve));
    clearTimeout(late);
    return finals();
  }

  get failure(): Extract<TranscriptionEvent, { kind: 'failed' }> | undefined {
    return this.events.find((event) => event.kind === 'failed');
  }

  private silence(frames: number): Buffer[] {
    return Array.from({ length: frames }, () => Buffer.alloc(FRAME_BYTES, SILENCE));
  }
}

async function withStream(harness: TranscriberHarness, talk: (heard: RecordedStream) => Promise<void>) {
  const heard = new RecordedStream(harness);
  await talk(heard).finally(() => heard.close());
}

/** The contract of transcribers: each check by its name. A server with a defect fails at least one. */
export const TRANSCRIBER_CONTRACT: Record<string, (harness: TranscriberHarness) => Promise<void>> = {
  'transcribes one utterance after the other, each once': (harness) =>
    withStream(harness, async (heard) => {
      for (const [index, text] of ['I would like to come.', 'On Monday at nine.', 'Thanks.'].entries()) {
        heard.says(text);
        expect((await heard.finals(index + 1)).slice(index)).toEqual([text]);
      }
      expect(heard.failure).toBeUndefined();
    }),
  'accepts languages without a code of the provider': async ({ transcriber, options }) => {
    for (const language of ['nb-NO', 'ca-ES'])
      await withStream({ transcriber, options: { ...options, language } }, async (heard) => {
        heard.says('Ja.');
        expect(await heard.finals(1)).toEqual(['Ja.']);
      });
  },
  'reports a voice without words as an empty text': (harness) =>
    withStream(harness, async (heard) => {
      heard.says('');
      expect(await heard.finals(1)).toEqual(['']);
      heard.says('Hello.');
      expect(await heard.finals(2)).toEqual(['', 'Hello.']);
    }),
  'fails with an error that is not retryable for another key or model': async ({ transcriber, options }) => {
    const { provider } = options;
    for (const changes of [{ apiKey: 'other' }, { model: 'no-such-model' }])
      await withStream(
        { transcriber, options: { ...options, provider: { ...provider, ...changes } } },
        async (heard) => {
          heard.says('Hello.');
          await heard.finals(1);
          expect(heard.failure).toMatchObject({ error: { retryable: false } });
        },
      );
  },
  'fails with a retryable error when the provider is unreachable': async ({ transcriber, options }) => {
    const provider = { ...options.provider, baseUrl: 'http://127.0.0.1:1' };
    await withStream({ transcriber, options: { ...options, provider } }, async (heard) => {
      heard.says('Hello.');
      await heard.finals(1);
      expect(heard.failure).toMatchObject({ error: { retryable: true } });
    });
  },
  'ends a turn once, by its meaning, where it is able to': async ({ transcriber, options }) => {
    if (!transcriber.detectsEndOfTurn) return;
    const ai = { transcriber, options: { ...options, endpointType: 'ai' as const } };
    await withStream(ai, async (heard) => {
      // A pause in an unfinished sentence: the eager end of turn is revoked.
      heard.says('I would like', 20, false);
      expect(await heard.finals(1)).toEqual(['I would like']);
      heard.says(' to come.', END_FRAMES, false);
      expect(await heard.finals(2)).toEqual(['I would like', 'to come.']);
      heard.says('Thanks.', END_FRAMES, false);
      heard.waits(END_FRAMES);
      expect(await heard.finals(3)).toEqual(['I would like', 'to come.', 'Thanks.']);
    });
  },
  'sends no event after it was closed': async (harness) => {
    const heard = new RecordedStream(harness);
    heard.says('Hello.');
    heard.close();
    await withStream(harness, async (other) => {
      other.says('Goodbye.');
      await other.finals(1);
    });
    expect(heard.events).toEqual([]);
  },
};

export function describeTranscriber(start: () => TranscriberHarness): void {
  it.each(Object.entries(TRANSCRIBER_CONTRACT))('%s', (_, check) => check(start()));
}
