import { Button, Group, Input, Text } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { t } from '#console/texts';
import { emptyWeek, setHour, shareOf, weekOf, weekText, type Week } from './week-hours';
import { WeekSpans } from './week-spans';
import { clockOf, WeekGrid } from './week-picture';
import classes from './week.module.css';

interface WeekInputProps {
  value?: Week;
  onChange: (week: Week) => void;
  error?: ReactNode;
}

const STEPS: Record<string, [days: number, hours: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const WORKDAYS = [0, 1, 2, 3, 4];
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const NO_WEEK = emptyWeek();

/** Weekday × hour, to be painted with the mouse or the keyboard; below it the minutes. */
export function WeekInput({ value = NO_WEEK, onChange, error }: WeekInputProps) {
  const { week: words, form } = t.campaigns;
  const presets = [
    [words.office, weekOf(WORKDAYS, 9, 18)],
    [words.daily, weekOf(ALL_DAYS, 9, 20)],
    [words.all, weekOf(ALL_DAYS, 0, 24)],
    [words.clear, emptyWeek()],
  ] as const;
  return (
    <Input.Wrapper label={form.windows} description={words.help} error={error} labelElement="div">
      <Group gap="xs" my="xs" role="group" aria-label={words.presets}>
        {presets.map(([name, week]) => (
          <Button key={name} size="compact-xs" variant="default" onClick={() => onChange(week)}>
            {name}
          </Button>
        ))}
      </Group>
      <Hours value={value} onChange={onChange} />
      <Text size="sm" my="xs" aria-live="polite">
        {weekText(value)}.{' '}
        <Text span c="dimmed">
          {words.zone}
        </Text>
      </Text>
      <WeekSpans value={value} onChange={onChange} />
    </Input.Wrapper>
  );
}

/** One of the hours can be reached with Tab, the others with the arrow keys. */
function Hours({ value, onChange }: { value: Week; onChange: (week: Week) => void }) {
  const { week: words, form } = t.campaigns;
  const [[day, hour], setPlace] = useState<[number, number]>([0, 9]);
  const group = useRef<HTMLDivElement>(null);
  /** What the hours under the pointer become while it is pressed. */
  const painting = useRef<boolean | null>(null);
  /** The newest week: the pointer may pass several hours before the next render. */
  const current = useRef(value);
  useEffect(() => void (current.current = value), [value]);

  const paint = (atDay: number, atHour: number, isOpen: boolean): void => {
    current.current = setHour(current.current, atDay, atHour, isOpen);
    onChange(current.current);
  };
  const isOpenAt = (atDay: number, atHour: number): boolean => shareOf(current.current, atDay, atHour) === 1;

  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next: [number, number] = [clamp(day + step[0], 6), clamp(hour + step[1], 23)];
    if (event.shiftKey) paint(...next, isOpenAt(day, hour));
    setPlace(next);
    group.current?.querySelector<HTMLElement>(`[data-place="${next.join()}"]`)?.focus();
  };
  const begin = (event: PointerEvent<HTMLElement>, atDay: number, atHour: number): void => {
    // The hours that a finger passes get no events while the first one keeps the pointer.
    event.currentTarget.releasePointerCapture(event.pointerId);
    painting.current = !isOpenAt(atDay, atHour);
    paint(atDay, atHour, painting.current);
    setPlace([atDay, atHour]);
    const end = (): void => void (painting.current = null);
    window.addEventListener('pointerup', end, { once: true });
    window.addEventListener('pointercancel', end, { once: true });
  };

  return (
    <div ref={group} role="group" aria-label={form.windows}>
      <WeekGrid
        hourOf={(atDay, atHour) => {
          const share = shareOf(value, atDay, atHour);
          return (
            <button
              key={atHour}
              type="button"
              className={classes.cell}
              style={{ '--share': share } as never}
              data-place={`${atDay},${atHour}`}
              tabIndex={atDay === day && atHour === hour ? 0 : -1}
              aria-pressed={share > 0 && share < 1 ? 'mixed' : share === 1}
              aria-label={words.cell(words.fullDays[atDay] ?? '', clockOf(atHour), share)}
              onKeyDown={press}
              onFocus={() => setPlace([atDay, atHour])}
              onPointerDown={(event) => begin(event, atDay, atHour)}
              onPointerEnter={() => {
                if (painting.current !== null) paint(atDay, atHour, painting.current);
              }}
              // Of the keyboard: a click of the mouse has painted already.
              onClick={({ detail }) => {
                if (detail === 0) paint(atDay, atHour, !isOpenAt(atDay, atHour));
              }}
            />
          );
        }}
      />
    </div>
  );
}

const clamp = (n: number, max: number): number => Math.max(0, Math.min(max, n));
