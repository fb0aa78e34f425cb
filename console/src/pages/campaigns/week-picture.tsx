import { Text, VisuallyHidden } from '@mantine/core';
import { t } from '#console/texts';
import { shareOf, weekText, type Week } from './week-hours';
import classes from './week.module.css';

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Every so many hours one is named. */
const NAMED = 3;

export const clockOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The names of the hours, above the days. */
export function HourNames() {
  return (
    <thead>
      <tr>
        <td />
        {HOURS.map((hour) => (
          <th key={hour} scope="col">
            {hour % NAMED === 0 ? hour : <VisuallyHidden>{hour}</VisuallyHidden>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The hours of a campaign, to look at. */
export function WeekPicture({ week }: { week: Week }) {
  return (
    <figure style={{ margin: 0 }}>
      <Text component="figcaption" size="sm" mb={6}>
        {weekText(week)} <Text span c="dimmed">{t.campaigns.week.zone}</Text>
      </Text>
      <table className={classes.week} aria-hidden>
        <HourNames />
        <tbody>
          {week.map((_, day) => (
            <tr key={day}>
              <th>{t.campaigns.week.days[day]}</th>
              {HOURS.map((hour) => (
                <td key={hour}>
                  <span className={classes.cell} style={{ '--share': shareOf(week, day, hour) } as never} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
