import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '#console/api/client';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

interface BalancePlotProps {
  /** The oldest first. */
  movements: Schemas['LedgerEntryResponse'][];
  height: number;
}

export default function BalancePlot({ movements, height }: BalancePlotProps) {
  const { money, times } = useSession();
  const points = movements.map(({ id, balance, created_at: at }) => ({
    id,
    balance,
    time: times.dateTime(parseTime(at)),
  }));
  return (
    <>
      <div aria-hidden>
        <AreaChart
          h={height}
          data={points}
          dataKey="time"
          series={[{ name: 'balance', label: t.balance.plot.axis, color: 'indigo.6' }]}
          curveType="stepAfter"
          withDots={points.length < 20}
          valueFormatter={money}
          yAxisProps={{ width: 70, domain: [(least: number) => Math.min(0, least), 'auto'] }}
          xAxisProps={{ minTickGap: 60, interval: 'preserveStartEnd' }}
          areaProps={{ isAnimationActive: false }}
          areaChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <Table>
          <caption>{t.balance.plot.table}</caption>
          <thead>
            <tr>
              <th scope="col">{t.balance.columns.created}</th>
              <th scope="col">{t.balance.columns.balance}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ id, time, balance }) => (
              <tr key={id}>
                <td>{time}</td>
                <td>{money(balance)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}
