import { Table, VisuallyHidden } from '@mantine/core';
import { memo, useMemo } from 'react';
import Plot from '#console/components/plot';
import { t } from '#console/texts';

export interface Hour {
  hour: string;
  calls: number;
  answered: number;
}

/** Bars for eyes, the same as a table for screen readers. */
export default memo(function HoursChart({ hours, height }: { hours: Hour[]; height: number }) {
  const { hours: texts } = t.overview;
  const names = useMemo(() => hours.map(({ hour }) => hour), [hours]);
  const series = useMemo(
    () => [
      { label: texts.calls, color: '--mantine-color-gray-5', values: hours.map(({ calls }) => calls) },
      {
        label: texts.answered,
        color: '--mantine-color-indigo-6',
        values: hours.map(({ answered }) => answered),
      },
    ],
    [hours, texts],
  );
  return (
    <>
      <Plot kind="bars" names={names} axis={texts.hour} series={series} height={height} />
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
