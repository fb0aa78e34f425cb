import { setTimeout as sleep } from 'node:timers/promises';
import { positive } from '../../support/pace.js';
import { type TurnLatencies, WARM_UP_TURNS } from './turn-latencies.js';

/** Of each call, after those of the warm-up. */
export const TURNS = positive('BENCH_ADDED_TURNS', 5);
/** For which a customer speaks. */
export const SPEECH_MS = 1_000;
/** From the start of a turn to that of the next one, more or less by an eighth. */
const INTERVAL_MS = 4_000;
const POLL_MS = 20;

/** Lets a customer speak every few seconds, independently of other customers. */
export async function takeTurns(latencies: TurnLatencies, speak: () => void): Promise<void> {
  await sleep(Math.random() * INTERVAL_MS);
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    while (latencies.isSpeaking) await sleep(POLL_MS);
    latencies.begin();
    speak();
    await sleep(INTERVAL_MS * (0.875 + Math.random() / 4));
  }
}
