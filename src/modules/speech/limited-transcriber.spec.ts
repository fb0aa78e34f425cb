import { beforeEach, describe, expect, it } from '@jest/globals';
import { LimitedTranscriber } from './limited-transcriber.js';
import { FakeTranscriber } from './speech.fake.js';
import type { TranscriptionEvent, TranscriptionStream } from './transcriber.js';

const AUDIO = Buffer.alloc(10);

describe('LimitedTranscriber', () => {
  let isTaken: boolean;
  let provider: FakeTranscriber;
  let stream: TranscriptionStream;
  let events: TranscriptionEvent[];

  beforeEach(() => {
    isTaken = true;
    provider = new FakeTranscriber();
    events = [];
    const options = {
      provider: { baseUrl: '', apiKey: '', model: '' },
      format: 'pcm16-24000',
      language: 'en',
      endOfTurnSilenceMs: 600,
      endpointType: 'vad',
    } as const;
    stream = new LimitedTranscriber(provider, () => isTaken).open(options, (event) => events.push(event));
  });

  const utter = async (): Promise<void> => {
    stream.write(AUDIO);
    stream.speechStarted();
    stream.write(AUDIO);
    stream.speechEnded();
    stream.write(AUDIO);
    await Promise.resolve();
  };

  it('forwards an utterance within the limit, also where the limit is reached in it', async () => {
    await utter();
    expect(provider.streams[0]).toMatchObject({ bytes: 30, log: ['started', 'ended'] });
    stream.speechStarted();
    isTaken = false;
    stream.write(AUDIO);
    stream.speechEnded();
    expect(provider.streams[0]).toMatchObject({ bytes: 40, log: ['started', 'ended', 'started', 'ended'] });
    expect(events).toEqual([]);
  });

  it('forwards nothing of one over the limit, and reports that it has no words', async () => {
    isTaken = false;
    await utter();
    expect(provider.streams[0]).toMatchObject({ bytes: 0, log: [] });
    expect(events).toEqual([{ kind: 'final', text: '' }]);
    isTaken = true;
    await utter();
    expect(provider.streams[0]).toMatchObject({ bytes: 30, log: ['started', 'ended'] });
    expect(events).toHaveLength(1);
  });

  it('drops the rest of an utterance that began over the limit', () => {
    isTaken = false;
    stream.speechStarted();
    isTaken = true;
    stream.write(AUDIO);
    expect(provider.streams[0]).toMatchObject({ bytes: 0, log: [] });
  });

  it('reports nothing after it is closed', async () => {
    isTaken = false;
    stream.speechStarted();
    stream.speechEnded();
    stream.close();
    await Promise.resolve();
    expect([events, provider.streams[0]?.log]).toEqual([[], ['closed']]);
  });
});
