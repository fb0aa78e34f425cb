import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#console/texts';
import { shareOf, weekText, type Week } from './week-hours';
import classes from './week.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Every so many hours one is named. */
const NAMED = 3;

export const clockOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Weekday × hour. Its names are for eyes only: each hour tells what it is itself, or a table does. */
export function WeekGrid({ hourOf }: { hourOf: (day: number, hour: number) => ReactNode }) {
  return (
    <div className={classes.week}>
      <div className={classes.row} aria-hidden>
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className={classes.name}>
            {hour % NAMED === 0 && hour}
          </span>
        ))}
      </div>
      {t.campaigns.week.days.map((name, day) => (
        <div key={name} className={classes.row}>
          <span className={classes.name} aria-hidden>
            {name}
          </span>
          {HOURS.map((hour) => hourOf(day, hour))}
        </div>
      ))}
    </div>
  );
}

/** The hours of a campaign, to look at. */
export function WeekPicture({ week }: { week: Week }) {
  return (
    <figure style={{ margin: 0 }}>
      <Text component="figcaption" size="sm" mb={6}>
        {weekText(week)}.{' '}
        <Text span c="dimmed">
          {t.campaigns.week.zone}
        </Text>
      </Text>
      <div aria-hidden>
        <WeekGrid
          hourOf={(day, hour) => (
            <span
              key={hour}
              className={classes.cell}
              style={{ '--share': shareOf(week, day, hour) } as never}
            />
          )}
        />
      </div>
    </figure>
  );
}
