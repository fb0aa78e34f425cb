import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { VoiceActivityDetector } from '#src/modules/speech/voice-activity.js';
import { RATE } from './recordings.js';

const FRAME_MS = 20;
const FRAME = (RATE * FRAME_MS) / 1000;
const MEASURED_MS = 5_000;

/** Calls in real time, each at another place of the audio. @returns the CPU of one call as a share of a core */
export async function callsAtOnce(
  detector: VoiceActivityDetector,
  samples: Int16Array,
  calls: number,
): Promise<{ cpu: number; blockedMs: number }> {
  const activities = Array.from({ length: calls }, () => detector.open(RATE, () => undefined));
  const frames = Math.floor(samples.length / FRAME);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const start = performance.now();
  let sent = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      for (; sent < (performance.now() - start) / FRAME_MS; sent += 1)
        activities.forEach((activity, call) => {
          const at = ((sent + call * 7) % frames) * FRAME;
          activity.push(samples.subarray(at, at + FRAME));
        });
      if (performance.now() - start < MEASURED_MS) return;
      clearInterval(timer);
      resolve();
    }, FRAME_MS / 4);
  });
  const { user, system } = process.cpuUsage(before);
  const passedMs = performance.now() - start;
  delay.disable();
  for (const activity of activities) activity.close();
  return { cpu: (user + system) / 1000 / passedMs / calls, blockedMs: delay.percentile(99) / 1e6 };
}
