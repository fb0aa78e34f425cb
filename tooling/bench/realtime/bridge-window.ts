import { setTimeout as sleep } from 'node:timers/promises';
import { below, above, noted, type Finding } from '../support/findings.js';
import { SECONDS } from '../support/pace.js';
import { quantile } from '../support/stats.js';
import type { FrameTimes } from './frame-times.js';
import { cpuShare, processFigures } from './process-figures.js';

const WARM_UP_MS = 3_000;
const WINDOW_MS = SECONDS * 3_000;
/** Frames sent at the end of a window arrive within this time. */
const ARRIVAL_MS = 1_000;

const LATENCY_TARGET_MS = 5;
const ARRIVED_TARGET = 99;

export interface BothWays {
  toModel: FrameTimes;
  fromModel: FrameTimes;
}

/** Measurements of one process while it forwards frames. */
export interface Window {
  cpuShare: number;
  loopP99Ms: number;
  megabytes: number;
  /** From the sender through the process to the receiver, in ms. */
  latencies: number[];
  /** Frames, in percent of the sent ones. */
  arrived: number;
}

/** Measures a process with open calls. */
export async function measureWindow(url: string, times: BothWays): Promise<Window> {
  await sleep(WARM_UP_MS);
  const before = await processFigures(url);
  const all = [times.toModel, times.fromModel];
  for (const one of all) one.begin();
  await sleep(WINDOW_MS);
  for (const one of all) one.end();
  const after = await processFigures(url);
  await sleep(ARRIVAL_MS);
  const latencies = all.flatMap((one) => one.latencies);
  const sent = all.reduce((sum, one) => sum + one.sent, 0);
  return {
    cpuShare: cpuShare(before, after),
    loopP99Ms: after.loopP99Ms,
    megabytes: after.megabytes,
    latencies,
    arrived: (latencies.length * 100) / sent,
  };
}

/** The service beside the forwarding process. */
export function bridgeFindings(what: string, own: Window, peer: Window): Finding[] {
  const p = (window: Window, share: number): number => quantile(window.latencies, share);
  const added = p(own, 0.95) - p(peer, 0.95);
  return [
    above(`${what}: frames that arrived`, '%', ARRIVED_TARGET, own.arrived),
    below(`${what}: added latency of a frame, p95`, 'ms', LATENCY_TARGET_MS, added),
    noted(`${what}: latency of a frame, p50`, 'ms', p(own, 0.5), p(peer, 0.5)),
    noted(`${what}: latency of a frame, p95`, 'ms', p(own, 0.95), p(peer, 0.95)),
    noted(`${what}: CPU of the process`, '%', own.cpuShare, peer.cpuShare),
    noted(`${what}: event loop, p99`, 'ms', own.loopP99Ms, peer.loopP99Ms),
  ];
}
