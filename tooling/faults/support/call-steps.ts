import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';
import { say } from './run-options.js';

/** Moments of a campaign's call, in their order, at which `patches/kill-at-steps` can end the process. */
export const CALL_STEPS = [
  /** Lead, call and attempt are written, not committed. */
  'claimed',
  /** Committed; the request to the carrier is not sent yet. */
  'committed',
  /** The request to the carrier is sent. */
  'asked',
  /** The carrier has responded; the response is not stored. */
  'answered',
  /** The response is stored, with the attempt. */
  'stored',
  /** A callback has arrived; it is not stored. */
  'reported',
  /** The end of the call is committed with its event, and the slot is free; no call uses it yet. */
  'ended',
  /** The campaigns that wait for a slot are not notified. */
  'closed',
  /** The outcome is recorded, the lead is not settled; nothing is committed. */
  'settling',
  /** The lead is settled; the event is not marked as handled. */
  'settled',
] as const;
export type CallStep = (typeof CALL_STEPS)[number];

/** After a kill all slots may be held for the ring time and ten seconds more: no call reaches a step in this time. */
const REACHED_MS = 60_000;
const POLL_MS = 20;
const LONGEST_PAUSE_MS = 1_500;

/** Kills processes at chosen steps: each process checks for a file with the name of the step that it has reached. */
export class StepKills {
  private readonly dir = mkdtempSync(join(tmpdir(), 'call-steps-'));
  private readonly counts = new Map<CallStep, number>(CALL_STEPS.map((step) => [step, 0]));

  /** Environment of the processes. */
  get env(): Record<string, string> {
    return { FAULT_STEPS: this.dir };
  }

  /** Kills one process at each step, `rounds` times while work is pending, and restarts it. */
  async run(
    cluster: Cluster,
    { random, rounds, underWay }: { random: Random; rounds: number; underWay: () => Promise<string[]> },
  ): Promise<void> {
    const steps = Array.from({ length: rounds }, () => shuffled(CALL_STEPS, random)).flat();
    for (const step of steps) {
      await sleep(random() * LONGEST_PAUSE_MS);
      if ((await underWay()).length === 0) break;
      await this.killAt(step, cluster);
    }
    say(`killed at: ${JSON.stringify(Object.fromEntries(this.counts))}`);
  }

  /** @returns a problem for each step at which fewer than `least` processes were killed */
  missing(least: number): string[] {
    const rare = [...this.counts].filter(([, count]) => count < least);
    return rare.map(([step, count]) => `a process was killed ${count} times when a call was "${step}"`);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private async killAt(step: CallStep, cluster: Cluster): Promise<void> {
    const file = join(this.dir, step);
    writeFileSync(file, '');
    const end = Date.now() + REACHED_MS;
    let fallen = cluster.fallen();
    while (fallen === null && Date.now() < end) {
      await sleep(POLL_MS);
      fallen = cluster.fallen();
    }
    // The process that takes the file ends shortly after.
    if (fallen === null && takeFile(file)) return;
    while (fallen === null) {
      await sleep(POLL_MS);
      fallen = cluster.fallen();
    }
    this.counts.set(step, (this.counts.get(step) ?? 0) + 1);
    await cluster.crash(fallen);
  }
}

/** False: no file. Of concurrent processes only one gets it. */
export function takeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
