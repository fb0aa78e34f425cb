import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../conversations/engine/clock.fake.js';
import type { AudioLine, AudioLineEvent } from './audio-line.js';
import { MarkedLine } from './marked-line.js';

/** A telephone that sends audio every 20 ms, and marks as the test says. */
function openLine() {
  const clock = new FakeClock();
  const sent: string[] = [];
  const events: string[] = [];
  let emit: (event: AudioLineEvent) => void = () => undefined;
  const line: AudioLine & { brokenSince: number | null } = {
    format: 'pcmu-8000',
    openedAt: 0,
    brokenSince: null,
    play: () => undefined,
    mark: (name) => void sent.push(name),
    clear: () => undefined,
    sendDigits: () => undefined,
    end: () => undefined,
    onEvent: (listener) => (emit = listener),
  };
  const marked = new MarkedLine(line, clock);
  const returnMark = (name: string): void => emit({ kind: 'mark', name });
  const speak = (name: string, ms: number): void => {
    marked.play(Buffer.alloc(ms * 8));
    marked.mark(name);
  };
  const pass = async (ms: number, hears = true): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      if (hears) emit({ kind: 'audio', audio: Buffer.alloc(160) });
      await clock.advance(20);
    }
  };
  marked.onEvent((event) => event.kind === 'mark' && events.push(`${event.name} ${clock.now()}`));
  return { clock, line, marked, sent, events, returnMark, speak, pass };
}

describe('MarkedLine', () => {
  it('returns marks as they come, once', async () => {
    const { returnMark, speak, pass, events, sent } = openLine();
    expect(sent).toEqual(['first']);
    returnMark('first');
    speak('a', 100);
    speak('b', 100);
    await pass(100);
    returnMark('a');
    returnMark('a');
    await pass(100);
    returnMark('b');
    returnMark('a');
    await pass(5_000);
    expect(events).toEqual(['a 100', 'b 200']);
  });

  it('replaces marks that never come 2 s after their audio, on a line without any', async () => {
    const { speak, pass, events } = openLine();
    speak('a', 100);
    speak('b', 400);
    await pass(3_000);
    expect(events).toEqual(['a 2100', 'b 2500']);
  });

  it('drops a lost mark when a later one returns, and one that returns after it was replaced', async () => {
    const { returnMark, speak, pass, events } = openLine();
    returnMark('first');
    speak('a', 100);
    speak('b', 100);
    await pass(200);
    returnMark('b');
    speak('c', 100);
    await pass(3_000);
    returnMark('c');
    returnMark('a');
    expect(events).toEqual(['b 200', 'c 2300']);
  });

  it.each([
    ['a long one at once', 1_200, 1_200],
    ['a short one by many marks', 300, 0],
  ])('measures the latency of marks, %s', async (_, latencyMs, unproven) => {
    const { marked, returnMark, speak, pass } = openLine();
    await pass(latencyMs);
    returnMark('first');
    const played = async (name: string, ms: number): Promise<number> => {
      speak(name, 100);
      await pass(ms);
      returnMark(name);
      return marked.markLatencyMs;
    };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(await played(name, latencyMs + 100)).toBe(unproven);
    expect(await played('i', latencyMs + 100)).toBe(latencyMs);
    expect(await played('j', 160)).toBe(60);
  });

  it('measures the latency by many marks where the first one is lost', async () => {
    const { marked, returnMark, speak, pass } = openLine();
    const measured: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
      speak(name, 100);
      await pass(700);
      returnMark(name);
      measured.push(marked.markLatencyMs);
    }
    expect(measured).toEqual([...Array.from({ length: 8 }, () => 0), 600]);
  });

  it('tells its listener how late a replaced mark is', async () => {
    const { marked, speak, pass } = openLine();
    let lateMs = 0;
    marked.onEvent((event) => event.kind === 'mark' && (lateMs = marked.markLatencyMs));
    speak('a', 100);
    await pass(3_000);
    expect([lateMs, marked.markLatencyMs]).toEqual([2_000, 0]);
  });

  it.each([
    ['stalled', false, null],
    ['broken', true, 0],
  ])('does not count audio as played while the connection is %s', async (_, hears, brokenSince) => {
    const { line, speak, pass, events } = openLine();
    await pass(1_000);
    speak('a', 100);
    line.brokenSince = brokenSince;
    await pass(5_000, hears);
    expect(events).toEqual([]);
    line.brokenSince = null;
    await pass(1_000);
    expect(events).toHaveLength(1);
  });

  it('keeps events for a listener that is set later', async () => {
    const { marked, returnMark, speak } = openLine();
    const late = openLine();
    expect(late.events).toEqual([]);
    const names: string[] = [];
    speak('a', 100);
    marked.onEvent((event) => event.kind === 'mark' && names.push(event.name));
    returnMark('a');
    expect(names).toEqual(['a']);
  });
});
