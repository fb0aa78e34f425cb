import type { LineTraits } from '../../sandbox/traits/line-traits.js';
import type { Random } from '../support/random.js';

/** Of a line, and of each trait on a difficult one. */
const CHANCE = 0.5;
/** Quieter than the sandbox's realtime model, and the detection of voices by energy, take for a voice. */
const SOUNDS = [
  { sound: 'white', level: -36 },
  { sound: 'car', level: -38 },
  { sound: 'babble', level: -52 },
  { sound: 'music', level: -52 },
  { sound: 'television', level: -52 },
  { sound: 'clicks', level: -30 },
] as const;
const MAX_SEED = 1_000_000;

/** Traits in random combinations; those that are left out are not difficult. */
export function randomTraits(random: Random): Partial<LineTraits> {
  if (random() < CHANCE) return {};
  const sound = SOUNDS[Math.floor(random() * SOUNDS.length)];
  const traits: Partial<LineTraits> = {
    ...(sound && { background: [sound] }),
    second_voice: { level: -32 },
    jitter_ms: 20 * Math.ceil(random() * 4),
    bursts: { every_ms: 5_000, lasts_ms: 180 },
    clock_drift: random() * 4 - 2,
    marks: { late_ms: Math.round(random() * 1_000), lost: random() / 5, doubled: random() / 5 },
  };
  const kept = Object.entries(traits).filter(() => random() < CHANCE);
  return { ...Object.fromEntries(kept), seed: 1 + Math.floor(random() * MAX_SEED) };
}

/** @returns the traits of each callee's line, for messages */
export async function makeLinesDifficult(
  sandboxUrl: string,
  callees: readonly string[],
  random: Random,
): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const callee of callees) {
    const body = JSON.stringify(randomTraits(random));
    const headers = { 'content-type': 'application/json' };
    const url = `${sandboxUrl}/lines/+1500555${callee}/traits`;
    const response = await fetch(url, { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`traits were refused: ${response.status} ${await response.text()}`);
    lines.set(callee, body);
  }
  return lines;
}
