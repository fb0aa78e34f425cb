import { Table, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '#console/api/client';
import Plot from '#console/components/plot';
import { formatDay } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

interface BalancePlotProps {
  /** The first one first. */
  days: Schemas['LedgerDayResponse'][];
  height: number;
  onSelect: (day: string) => void;
}

/** A line for eyes, the same as a table for screen readers. */
export default function BalancePlot({ days, height, onSelect }: BalancePlotProps) {
  const { money, times } = useSession();
  const { plot } = t.balance;
  const names = useMemo(() => days.map(({ date }) => formatDay(date)), [days]);
  const series = useMemo(
    () => [
      { label: plot.axis, color: '--mantine-color-indigo-6', values: days.map(({ balance }) => balance) },
    ],
    [days, plot],
  );
  return (
    <>
      <Plot
        kind="area"
        names={names}
        axis={plot.day}
        series={series}
        height={height}
        format={money}
        onSelect={(point) => {
          const day = days[point];
          if (day) onSelect(day.date);
        }}
      />
      <VisuallyHidden>
        <Table>
          <caption>{plot.table(times.zone)}</caption>
          <thead>
            <tr>
              <th scope="col">{plot.day}</th>
              <th scope="col">{plot.axis}</th>
              <th scope="col">{plot.added}</th>
              <th scope="col">{plot.taken}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, balance, credits, debits }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{money(balance)}</td>
                <td>{money(credits)}</td>
                <td>{money(debits)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}
