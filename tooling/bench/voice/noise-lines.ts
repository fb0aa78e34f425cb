import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import type { LineTraits } from '../../sandbox/traits/line-traits.js';
import { openDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { callsOn, LINES } from './lines.js';
import { numberOf, type MeasuredCall } from './lively-calls.js';
import { quietTimes } from './quiet-times.js';
import { MAX_LATE_MS } from './turn-taking.js';

/** Calls on each line with each background. */
const CALLS = positive('BENCH_NOISE_CALLS', 20);
/** The background is mixed into every frame, and recognised in it. */
const AT_ONCE = 12;
/** In dBFS, 10 dB below a person's voice but for the steady noise. */
const BACKGROUNDS: Record<string, Partial<LineTraits> | null> = {
  'no noise': null,
  'steady noise': { background: [{ sound: 'white', level: -38 }] },
  babble: { background: [{ sound: 'babble', level: -32 }] },
  music: { background: [{ sound: 'music', level: -32 }] },
  television: { background: [{ sound: 'television', level: -32 }] },
  'second voice': { second_voice: { level: -32 } },
};
/** A person beside the telephone is listened to: nothing is promised. */
const WITHOUT_TARGETS = ', second voice';
/** The record of a turn without words: the sandbox recognises only the customer's. */
const WORDLESS_TURN = /\[not transcribed\]/g;
const TELEPHONES = ['multimodal', 'providers'] as const;
const VOICED_CODES = pathToFileURL(resolve('dist/tooling/bench/voice/voiced-codes.js')).href;
const MAX_SILENCE_MS = 3_000;
const MAX_FALSE_INTERRUPTIONS = 1;

/**
 * Silences and false interruptions in calls with a lively customer in a noisy place. The service detects voices by its
 * model, which hears the customer with recorded or synthesised voices.
 *
 * @param recordings as in `readRecordings`
 */
export async function measureNoise(recordings: string | null): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    for (const line of TELEPHONES)
      for (const [background, traits] of Object.entries(BACKGROUNDS)) {
        const name = `${line}, ${background}`;
        const round = {
          calls: CALLS,
          env: { NODE_OPTIONS: `--import ${VOICED_CODES}`, BENCH_RECORDINGS: recordings ?? '' },
          prepare: (sandboxUrl: string) => setTraits(sandboxUrl, traits),
        };
        findings.push(
          ...findingsOf(name, await callsOn(database, name, { ...LINES[line], atOnce: AT_ONCE }, round)),
        );
      }
    return findings;
  } finally {
    await database.close();
  }
}

async function setTraits(sandboxUrl: string, traits: Partial<LineTraits> | null): Promise<void> {
  if (traits === null) return;
  for (let index = 0; index < CALLS; index += 1) {
    const answer = await fetch(`${sandboxUrl}/lines/${numberOf(index)}/traits`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...traits, seed: index + 1 }),
    });
    if (!answer.ok) throw new Error(`traits were refused: ${answer.status} ${await answer.text()}`);
  }
}

function findingsOf(name: string, all: readonly MeasuredCall[]): Finding[] {
  const calls = all.filter(({ lateMs }) => lateMs <= MAX_LATE_MS);
  const times = calls.map(({ voices }) => quietTimes(voices));
  const minutes = times.reduce((sum, { callMs }) => sum + callMs, 0) / 60_000;
  const breaks = times.flatMap((time) => time.breaks);
  const silences = times.flatMap((time) => time.silences);
  const wordless = calls.flatMap(({ stored }) => [...stored.customer.matchAll(WORDLESS_TURN)]);
  const atMost = (what: string, unit: string, limit: number, own: number): Finding =>
    name.endsWith(WITHOUT_TARGETS) ? noted(what, unit, own) : below(what, unit, limit, own);
  return [
    noted(`${name}: calls counted of ${all.length}`, '', calls.length),
    atMost(`${name}: silences over 3 s`, '', 0, silences.filter((ms) => ms > MAX_SILENCE_MS).length),
    noted(`${name}: longest silence`, 'ms', Math.max(0, ...silences)),
    atMost(`${name}: false interruptions`, '/min', MAX_FALSE_INTERRUPTIONS, breaks.length / minutes),
    noted(`${name}: sounds and side talk taken for turns`, '/min', wordless.length / minutes),
  ];
}
