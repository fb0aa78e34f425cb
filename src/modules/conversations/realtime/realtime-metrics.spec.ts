import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { FakeClock } from '../engine/clock.fake.js';
import { EnergyVoiceDetector } from '../../speech/audio/energy-voice-detector.js';
import { RealtimeMetrics } from './realtime-metrics.js';
import { FakePhoneLine, FakeRealtimeModel, openSession, INTERRUPTION_RULES } from './realtime.fake.js';
import { RealtimeSession } from './realtime-session.js';

describe('RealtimeMetrics', () => {
  it('report the first audio of a response and its tokens', async () => {
    const registry = new Registry();
    const { settings } = (await openSession()).model;
    if (!settings) throw new Error('no settings');
    const [clock, model] = [new FakeClock(), new FakeRealtimeModel()];
    const metrics = new RealtimeMetrics(registry);
    const session = new RealtimeSession(
      new FakePhoneLine(),
      clock,
      settings,
      INTERRUPTION_RULES,
      new EnergyVoiceDetector(),
      metrics,
    );
    await session.connect(model);
    session.onEvent(() => undefined);
    session.say('Good day.', true, { interruptible: true, preemptible: false });
    await clock.advance(400);
    await model.says('Good day.', 'sentence-1');
    const usage = { prompt: 30, cached: 10, completion: 5 };
    await model.emit({ kind: 'done', response: 'sentence-1', status: 'completed', usage });
    const text = await registry.metrics();
    expect(text).toContain('realtime_first_audio_seconds_count 1\n');
    expect(text).toContain('realtime_first_audio_seconds_sum 0.4\n');
    expect(text).toContain('realtime_tokens_total{kind="prompt"} 30\n');
    expect(text).toContain('realtime_tokens_total{kind="cached"} 10\n');
    expect(text).toContain('realtime_tokens_total{kind="completion"} 5\n');
  });

  it('report the open sessions, and those that failed', async () => {
    const registry = new Registry();
    const metrics = new RealtimeMetrics(registry);
    for (const hasFailed of [true, false]) {
      metrics.countOpened();
      metrics.countClosed(hasFailed);
    }
    metrics.countOpened();
    const text = await registry.metrics();
    expect(text).toContain('realtime_sessions_open 1\n');
    expect(text).toContain('realtime_sessions_failed_total 1\n');
  });
});
