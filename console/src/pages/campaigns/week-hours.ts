import type { Schemas } from '#console/api/client';
import { t } from '#console/texts';

export type Window = Schemas['CampaignWindowResponse'];
type Weekday = Window['days'][number];

export const WEEKDAYS: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];
const DAY_MINUTES = 24 * 60;

/** Minutes of a day, the end exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The spans of each day from Monday on, in order, without overlaps. */
export type Week = Span[][];

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The day's end is `24:00`. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.filter(({ from, to }) => from < to).sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

export const emptyWeek = (): Week => WEEKDAYS.map(() => []);

export const weekOf = (days: readonly number[], from: number, to: number): Week =>
  WEEKDAYS.map((_, day) => (days.includes(day) ? [{ from: from * 60, to: to * 60 }] : []));

/** Without windows the allowed hours count; they may go over midnight. */
export function readWeek(
  campaign: Pick<
    Schemas['CampaignResponse'],
    'windows' | 'allowed_days' | 'allowed_hours_start_time' | 'allowed_hours_end_time'
  >,
): Week {
  const {
    windows,
    allowed_days: days,
    allowed_hours_start_time: start,
    allowed_hours_end_time: end,
  } = campaign;
  const week = emptyWeek();
  const add = (day: number, from: number, to: number): void => void week[day % 7]?.push({ from, to });
  for (const window of windows.length > 0 ? windows : [{ days, start, end }]) {
    const from = minutesOf(window.start);
    // `23:59` is the day's end.
    const to = window.end === '23:59' ? DAY_MINUTES : minutesOf(window.end);
    for (const day of window.days.map((name) => WEEKDAYS.indexOf(name))) {
      if (to >= from) add(day, from, to);
      else {
        add(day, from, DAY_MINUTES);
        add(day + 1, 0, to);
      }
    }
  }
  return week.map(joined);
}

/** Days with the same hours. */
export interface DayGroup {
  days: number[];
  spans: Span[];
}

export function groupDays(week: Week): DayGroup[] {
  const groups = new Map<string, DayGroup>();
  week.forEach((spans, day) => {
    if (spans.length === 0) return;
    const key = JSON.stringify(spans);
    const group = groups.get(key) ?? { days: [], spans };
    group.days.push(day);
    groups.set(key, group);
  });
  return [...groups.values()];
}

export const toWindows = (week: Week): Window[] =>
  groupDays(week).flatMap(({ days, spans }) =>
    spans.map(({ from, to }) => ({
      days: days.flatMap((day) => WEEKDAYS[day] ?? []),
      start: timeOf(from),
      end: timeOf(to),
    })),
  );

/** Of the hour, 0 to 1. */
export const shareOf = (week: Week, day: number, hour: number): number =>
  (week[day] ?? []).reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, (hour + 1) * 60) - Math.max(from, hour * 60)),
    0,
  ) / 60;

/** With the hour all open or all closed. */
export function setHour(week: Week, day: number, hour: number, isOpen: boolean): Week {
  const [from, to] = [hour * 60, (hour + 1) * 60];
  return week.map((spans, index) => {
    if (index !== day) return spans;
    if (isOpen) return joined([...spans, { from, to }]);
    return joined(
      spans.flatMap((span) => [
        { from: span.from, to: Math.min(span.to, from) },
        { from: Math.max(span.from, to), to: span.to },
      ]),
    );
  });
}

/** With one span of some days replaced; null removes it. */
export const replaceSpan = (week: Week, days: readonly number[], at: number, span: Span | null): Week =>
  week.map((spans, day) =>
    days.includes(day) ? joined(spans.flatMap((one, n) => (n === at ? (span ?? []) : one))) : spans,
  );

/** `Mon–Fri`, `Mon, Wed`. */
export function daysText(days: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last?.[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  }
  const name = (day: number): string => t.campaigns.week.days[day] ?? '';
  return runs
    .map(([from, to]) => (from === to ? name(from) : `${name(from)}${to - from > 1 ? '–' : ', '}${name(to)}`))
    .join(', ');
}

const isAlways = (week: Week): boolean =>
  week.every((spans) => spans.length === 1 && spans[0]?.from === 0 && spans[0].to === DAY_MINUTES);

/** `Mon–Fri 09:00–12:30, 14:00–18:00; Sat 10:00–12:00`. */
export function weekText(week: Week): string {
  if (isAlways(week)) return t.campaigns.week.always;
  const groups = groupDays(week);
  if (groups.length === 0) return t.campaigns.week.none;
  return groups
    .map(
      ({ days, spans }) =>
        `${daysText(days)} ${spans.map(({ from, to }) => `${timeOf(from)}–${timeOf(to)}`).join(', ')}`,
    )
    .join('; ');
}
