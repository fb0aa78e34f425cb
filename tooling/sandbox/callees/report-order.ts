import { createHash } from 'node:crypto';

/** When a report is sent: simulated milliseconds after its event, or after the report of the call's end. */
export interface Sending {
  ms: number;
  after: 'event' | 'end';
}

export type ReportedEvent = 'initiated' | 'ringing' | 'answered' | 'completed';

/** A result of machine detection. */
export interface Detection {
  answeredBy: string;
  /** Number of utterances of the callee before it; an earlier end of the call releases it too. */
  afterSpoken: number;
  sending: Sending;
}

/** The order of a call's reports, independent of the call's events. */
export interface ReportOrder {
  /** The copies of each report; an empty list suppresses it. */
  reports: Readonly<Record<ReportedEvent, readonly Sending[]>>;
  /** Null: one, unchanged. */
  detections: readonly Detection[] | null;
  /** The other side hangs up at once, and the carrier requests instructions after it has reported the end. */
  endsFirst: boolean;
}

const NOW: Sending = { ms: 0, after: 'event' };
const SOON: Sending = { ms: 700, after: 'event' };
const LATE: Sending = { ms: 15_000, after: 'event' };
const AFTER_END: Sending = { ms: 500, after: 'end' };

const inTime: ReportOrder['reports'] = {
  initiated: [NOW],
  ringing: [NOW],
  answered: [NOW],
  completed: [NOW],
};
const order = (given: Partial<ReportOrder>): ReportOrder => ({
  reports: inTime,
  detections: null,
  endsFirst: false,
  ...given,
});
const eachReport = (copies: readonly Sending[]): ReportOrder['reports'] => ({
  initiated: copies,
  ringing: copies,
  answered: copies,
  completed: copies,
});
const detected = (answeredBy: string, afterSpoken: number, sending = NOW): Detection => ({
  answeredBy,
  afterSpoken,
  sending,
});

export const REPORTS_LATE = order({ reports: eachReport([LATE]) });
export const REPORTS_TWICE = order({ reports: eachReport([NOW, SOON]) });
export const END_ONLY = order({ reports: { ...eachReport([]), completed: [NOW] } });
export const END_NEVER = order({ reports: { ...inTime, completed: [] } });
export const END_BEFORE_OTHERS = order({ reports: { ...eachReport([AFTER_END]), completed: [NOW] } });
export const ENDS_FIRST = order({ endsFirst: true });
export const MACHINE_LATE = order({ detections: [detected('machine_start', 2)] });
export const MACHINE_AND_HUMAN = order({
  detections: [detected('human', 0), detected('machine_end_beep', 1), detected('human', 1, LATE)],
});

const COPIES: readonly (readonly Sending[])[] = [
  [NOW],
  [NOW],
  [SOON],
  [LATE],
  [],
  [NOW, SOON],
  [NOW, LATE],
  [AFTER_END],
  [NOW, AFTER_END],
];
const END_COPIES = COPIES.filter((copies) => copies.every(({ after }) => after === 'event'));
const DETECTIONS: readonly ReportOrder['detections'][] = [
  null,
  [],
  [detected('human', 0)],
  [detected('machine_start', 1)],
  [detected('machine_start', 2)],
  [detected('machine_end_beep', 1)],
  [detected('machine_end_other', 2, SOON)],
  [detected('human', 1), detected('machine_start', 2, SOON)],
  [detected('machine_start', 1), detected('unknown', 1, SOON)],
  [detected('machine_start', 1), detected('machine_start', 1, LATE)],
  [detected('machine_end_silence', 1, AFTER_END)],
];

/** A fixed order for each name. */
export function orderNamed(name: string): ReportOrder {
  const numbers = [...createHash('sha256').update(name).digest()];
  const choose = <T>(list: readonly T[]): T => list[(numbers.shift() ?? 0) % list.length] as T;
  return {
    reports: {
      initiated: choose(COPIES),
      ringing: choose(COPIES),
      answered: choose(COPIES),
      completed: choose(END_COPIES),
    },
    detections: choose(DETECTIONS),
    endsFirst: choose([true, false, false, false, false, false, false, false]),
  };
}
