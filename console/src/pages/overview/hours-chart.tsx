import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { t } from '#console/texts';

export interface Hour {
  hour: string;
  calls: number;
  answered: number;
}

/** Bars for eyes, the same as a table for screen readers. */
export default memo(function HoursChart({ hours }: { hours: Hour[] }) {
  const { hours: texts } = t.overview;
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={200}
          data={hours}
          dataKey="hour"
          series={[
            { name: 'calls', label: texts.calls, color: 'gray.5' },
            { name: 'answered', label: texts.answered, color: 'indigo.6' },
          ]}
          withLegend
          legendProps={{ verticalAlign: 'top', height: 28 }}
          gridAxis="x"
          tickLine="none"
          yAxisProps={{ allowDecimals: false, width: 36 }}
          xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
          barProps={{ isAnimationActive: false, tabIndex: -1 }}
          barChartProps={{ barGap: 1, accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <Table aria-label={texts.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.hour}</Table.Th>
              <Table.Th>{texts.calls}</Table.Th>
              <Table.Th>{texts.answered}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hours.map(({ hour, calls, answered }) => (
              <Table.Tr key={hour}>
                <Table.Th>{hour}</Table.Th>
                <Table.Td>{calls}</Table.Td>
                <Table.Td>{answered}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
});
