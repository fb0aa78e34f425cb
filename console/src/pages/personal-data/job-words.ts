import type { Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { formatCount } from '#console/formats/numbers';
import { parseTime } from '#console/formats/time';
import { t } from '#console/texts';

export type Erasure = Schemas['ErasureResponse'];
export type Export = Schemas['ExportResponse'];
export type Job = Erasure | Export;

/** How often running jobs are read again. */
export const LOOK_MS = 2_000;
const MOST_KINDS = 3;

const TONES: Record<Job['status'], Tone> = {
  waiting: 'waiting',
  running: 'running',
  done: 'good',
  failed: 'bad',
};

export const toneOf = ({ status }: Job): Tone => TONES[status];
export const isOver = ({ status }: Job): boolean => status === 'done' || status === 'failed';
/** Of a list or of one job. */
export const lookWhile = (jobs: readonly Job[] | undefined): number | false =>
  jobs?.some((job) => !isOver(job)) === true ? LOOK_MS : false;

export const canDownload = ({ status, expires_at: until }: Export): boolean =>
  status === 'done' && until !== null && parseTime(until).getTime() > Date.now();

/** Each kind with its name, in the order of the documentation. */
export function countsOf({ counts }: Job): [kind: string, n: number][] {
  const { kinds } = t.personalData;
  const order = Object.keys(kinds);
  return Object.entries(counts)
    .filter(([, n]) => n > 0)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([kind, n]) => [kinds[kind] ?? kind, n]);
}

/** `Calls 12, Recordings 3 and 2 more`. */
export function countedWords(job: Job): string {
  const all = countsOf(job);
  if (all.length === 0) return isOver(job) ? t.personalData.nothing : '–';
  const named = all.slice(0, MOST_KINDS).map(([kind, n]): [string, string] => [kind, formatCount(n)]);
  return t.personalData.counted(named, all.length - named.length);
}
