import { expect, it } from '@jest/globals';
import { encodeSpeech, FRAME_BYTES, SILENCE } from '../../../tooling/sandbox/speech/speech-code.js';
import type { Transcriber, TranscriptionEvent, TranscriptionOptions } from './transcriber.js';

export interface TranscriberHarness {
  transcriber: Transcriber;
  options: TranscriptionOptions;
}

/** Silence after which the voice detection of a call finds the end, in frames of 20 ms. */
const END_FRAMES = 30;
const LISTEN_LIMIT_MS = 5_000;

/** A call over one stream: what the customer says, and what is understood of it. */
class HeardStream {
  readonly events: TranscriptionEvent[] = [];
  private notify: () => void = () => undefined;
  private readonly stream;

  constructor({ transcriber, options }: TranscriberHarness) {
    this.stream = transcriber.open(options, (event) => {
      this.events.push(event);
      this.notify();
    });
  }

  /** @param silentFrames after it @param ends the voice detection finds the end after that silence */
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

  /** The final texts, when there are so many, or when a failure has come. */
  async finals(count: number): Promise<string[]> {
    const finals = (): string[] =>
      this.events.flatMap((event) => (event.kind === 'final' ? [event.text] : []));
    const late = setTimeout(() => this.notify(), LISTEN_LIMIT_MS);
    const until = Date.now() + LISTEN_LIMIT_MS;
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

async function listening(harness: TranscriberHarness, talk: (heard: HeardStream) => Promise<void>) {
  const heard = new HeardStream(harness);
  await talk(heard).finally(() => heard.close());
}

/** The contract of transcribers: each check by its name. A server with a defect fails at least one. */
export const TRANSCRIBER_CONTRACT: Record<string, (harness: TranscriberHarness) => Promise<void>> = {
  'writes down one utterance after the other, each once': (harness) =>
    listening(harness, async (heard) => {
      for (const [index, text] of ['I would like to come.', 'On Monday at nine.', 'Thanks.'].entries()) {
        heard.says(text);
        expect((await heard.finals(index + 1)).slice(index)).toEqual([text]);
      }
      expect(heard.failure).toBeUndefined();
    }),
  'takes languages that it does not know': async ({ transcriber, options }) => {
    for (const language of ['nb-NO', 'ca-ES'])
      await listening({ transcriber, options: { ...options, language } }, async (heard) => {
        heard.says('Ja.');
        expect(await heard.finals(1)).toEqual(['Ja.']);
      });
  },
  'tells of a voice without words too': (harness) =>
    listening(harness, async (heard) => {
      heard.says('');
      expect(await heard.finals(1)).toEqual(['']);
      heard.says('Hello.');
      expect(await heard.finals(2)).toEqual(['', 'Hello.']);
    }),
  'fails for good with another key or model': async ({ transcriber, options }) => {
    const { provider } = options;
    for (const changes of [{ apiKey: 'other' }, { model: 'no-such-model' }])
      await listening(
        { transcriber, options: { ...options, provider: { ...provider, ...changes } } },
        async (heard) => {
          heard.says('Hello.');
          await heard.finals(1);
          expect(heard.failure).toMatchObject({ error: { retryable: false } });
        },
      );
  },
  'may be tried again when the provider is away': async ({ transcriber, options }) => {
    const provider = { ...options.provider, baseUrl: 'http://127.0.0.1:1' };
    await listening({ transcriber, options: { ...options, provider } }, async (heard) => {
      heard.says('Hello.');
      await heard.finals(1);
      expect(heard.failure).toMatchObject({ error: { retryable: true } });
    });
  },
  'ends a turn once, by what was said, where it can': async ({ transcriber, options }) => {
    if (!transcriber.endsTurns) return;
    const ai = { transcriber, options: { ...options, endpointType: 'ai' as const } };
    await listening(ai, async (heard) => {
      // A pause in a sentence that is not finished: the eager end is taken back.
      heard.says('I would like', 20, false);
      expect(await heard.finals(1)).toEqual(['I would like']);
      heard.says(' to come.', END_FRAMES, false);
      expect(await heard.finals(2)).toEqual(['I would like', 'to come.']);
      heard.says('Thanks.', END_FRAMES, false);
      heard.waits(END_FRAMES);
      expect(await heard.finals(3)).toEqual(['I would like', 'to come.', 'Thanks.']);
    });
  },
  'tells nothing after it was closed': async (harness) => {
    const heard = new HeardStream(harness);
    heard.says('Hello.');
    heard.close();
    await listening(harness, async (other) => {
      other.says('Goodbye.');
      await other.finals(1);
    });
    expect(heard.events).toEqual([]);
  },
};

export function describeTranscriber(start: () => TranscriberHarness): void {
  it.each(Object.entries(TRANSCRIBER_CONTRACT))('%s', (_, check) => check(start()));
}
