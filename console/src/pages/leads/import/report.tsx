import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DataTable, type Column } from '#console/components/list-page';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import { readLines, type CsvHead } from './csv-file';
import type { ImportReport } from './send-file';

/** More rows than anybody reads; all of them are in the file to download. */
const SHOWN = 200;

type LineError = ImportReport['errors'][number];

/** The lines with an error, with what stands in the file. */
export function LineErrors({
  head,
  names,
  report,
}: {
  head: CsvHead;
  names: string[];
  report: ImportReport;
}) {
  const { importing } = t.leads;
  const shown = report.errors.slice(0, SHOWN);
  const { data: values } = useQuery({
    queryKey: [
      'lines',
      head.file.name,
      head.file.size,
      head.file.lastModified,
      shown.map(({ line }) => line),
    ],
    queryFn: () => readLines(head, new Set(shown.map(({ line }) => line))),
    enabled: shown.length > 0,
    staleTime: Infinity,
  });
  if (report.errors.length === 0) return <Text c="dimmed">{importing.allGood}</Text>;
  const valueOf = ({ line, field }: LineError): string => {
    const row = values?.get(line);
    if (!row) return '';
    const column = names.indexOf(field);
    return column >= 0 ? (row[column] ?? '') : row.join(' · ');
  };
  const columns: Column<LineError>[] = [
    { key: 'line', header: importing.line, align: 'right', width: 70, cell: ({ line }) => formatCount(line) },
    {
      key: 'field',
      header: importing.field,
      isSecondary: true,
      cell: ({ field }) => head.names[names.indexOf(field)] ?? field,
    },
    {
      key: 'value',
      header: importing.value,
      cell: (error) => (
        <Text size="sm" ff="monospace" maw={280} truncate>
          {valueOf(error)}
        </Text>
      ),
    },
    { key: 'problem', header: importing.problem, cell: ({ message }) => message },
  ];
  return (
    <Stack gap={4} mt="md">
      <Text fw={600}>{importing.errors}</Text>
      <DataTable
        title={importing.errors}
        rows={shown}
        columns={columns}
        rowKey={({ line, field }) => `${line} ${field}`}
      />
      {report.errors.length > shown.length && (
        <Text size="sm" c="dimmed">
          {importing.firstOf(shown.length, report.errors.length)}
        </Text>
      )}
    </Stack>
  );
}

/** What would become of the lines. */
export function Outlook({ report }: { report: ImportReport }) {
  const { importing } = t.leads;
  const rest = [importing.willRefuse(report.invalid), importing.willSkip(report.duplicates)].filter(
    (text) => text !== '',
  );
  return (
    <Alert
      color={report.imported === 0 ? 'red' : report.invalid > 0 ? 'yellow' : 'teal'}
      title={importing.ready(report.imported)}
      role="status"
    >
      {rest.length > 0 && <Text size="sm">{`${rest.join('. ')}.`}</Text>}
    </Alert>
  );
}
