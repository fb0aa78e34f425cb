import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '#console/api/client';
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
  const points = days.map(({ date, balance }) => ({ day: formatDay(date), balance }));
  return (
    <>
      <div aria-hidden>
        <AreaChart
          h={height}
          data={points}
          dataKey="day"
          series={[{ name: 'balance', label: plot.axis, color: 'indigo.6' }]}
          curveType="linear"
          withDots={false}
          valueFormatter={money}
          yAxisProps={{ width: 70, domain: [(least: number) => Math.min(0, least), 'auto'] }}
          xAxisProps={{ minTickGap: 60, interval: 'preserveStartEnd' }}
          areaProps={{ isAnimationActive: false }}
          areaChartProps={{
            accessibilityLayer: false,
            style: { cursor: 'pointer' },
            onClick: ({ activeTooltipIndex }) => {
              const day = days[Number(activeTooltipIndex)];
              if (day) onSelect(day.date);
            },
          }}
        />
      </div>
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
