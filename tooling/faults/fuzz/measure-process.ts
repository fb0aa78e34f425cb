import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../support/installation.js';
import { say } from '../support/run-options.js';
import { megabytes, type MemorySample, type ResourceSample } from './verify-fuzz.js';

/** Time for calls and jobs to finish before memory is measured. */
const IDLE_MS = 3_000;

/** After a garbage collection. @param requests number of requests before */
export async function memoryOf(installation: Installation, requests: number): Promise<MemorySample> {
  const text = await metricsAfterCollection(installation);
  const heapBytes = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1] ?? NaN);
  const status = readFileSync(`/proc/${installation.pid}/status`, 'utf8');
  const residentBytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) * 1024;
  say(`${requests} requests: heap ${megabytes(heapBytes)} MB, resident ${megabytes(residentBytes)} MB`);
  return { requests, heapBytes, residentBytes };
}

/** Open timers and sockets. */
export async function resourcesOf({ url, pid }: Installation): Promise<ResourceSample> {
  const text = await fetch(`${url}/metrics`).then((response) => response.text());
  const timers = Number(/^nodejs_active_resources\{type="Timeout"[^}]*\} (\S+)/m.exec(text)?.[1] ?? 0);
  const files = readdirSync(`/proc/${pid}/fd`).length;
  say(`open: ${timers} timers, ${files} files and sockets`);
  return { timers, files };
}

/** Null: the service died during the measurement. */
export async function unlessDead<T>(installation: Installation, measure: Promise<T>): Promise<T | null> {
  try {
    return await measure;
  } catch (error) {
    // Until its end is detected.
    await sleep(IDLE_MS);
    if (installation.alive) throw error;
    return null;
  }
}

async function metricsAfterCollection({ url, pid }: Installation): Promise<string> {
  await sleep(IDLE_MS);
  process.kill(pid, 'SIGUSR2');
  await sleep(IDLE_MS);
  return fetch(`${url}/metrics`).then((response) => response.text());
}
