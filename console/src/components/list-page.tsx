import { Box, Button, Group, Pagination, Select, Skeleton, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { memo, useDeferredValue, type ReactNode } from 'react';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import { EmptyState, type Empty } from './empty-state';
import { ErrorNote } from './error-note';
import { PageHeader, type PageHeaderProps } from './page-header';
import { useSearchChange } from './use-search-change';

export interface Column<T> {
  key: string;
  header: ReactNode;
  cell: (row: T) => ReactNode;
  /** Numbers stand at the right. */
  align?: 'right';
  /** On narrow screens it is left out. */
  isSecondary?: boolean;
  width?: number | string;
}

export interface ListData<T> {
  data: T[];
  /** Of all pages; left out by lists without pages. */
  total?: number;
  current_page?: number;
  last_page?: number;
  per_page?: number;
}

export interface ListPageProps<T> extends PageHeaderProps {
  /** What `$api.useQuery` returns. */
  query: {
    data: ListData<T> | undefined;
    error: unknown;
    refetch: () => unknown;
    isPlaceholderData?: boolean;
  };
  columns: Column<T>[];
  /** The index, where cells keep nothing of their own: then the rows of the next page take over those of this one. */
  rowKey: (row: T, index: number) => string | number;
  /** Inputs whose values are search parameters: see `useSearchFilters`. */
  filters?: ReactNode;
  /** Shown without rows and without filters. */
  empty: Empty;
  hasFilters?: boolean;
  /** Between the header and the filters. */
  before?: ReactNode;
  /** Between the filters and the table, e.g. what has come since. */
  notice?: ReactNode;
  /** The number of rows while the first page is read. */
  rowsWhileLoading?: number;
}

const PAGE_SIZES = ['15', '25', '50', '100'];

/**
 * A page that is one table. The first cell of a row holds its link, with `className="row-link"`: the whole row is then
 * its target. Page and filters are in the address.
 */
export function ListPage<T>({
  query,
  filters,
  notice,
  before,
  hasFilters = false,
  empty,
  ...rest
}: ListPageProps<T>) {
  const { title, text, above, actions } = rest;
  const { data, error, refetch } = query;
  const isEmpty = data?.data.length === 0;
  const { isPlaceholderData = false } = query;
  // A hundred rows take long to draw: in pieces, between which the page goes on.
  const rows = useDeferredValue(data?.data);
  const areRowsOld = useDeferredValue(isPlaceholderData);
  return (
    <>
      <PageHeader {...{ title, text, above, actions }} />
      {before}
      {filters !== undefined && !(isEmpty && !hasFilters) && <Filters>{filters}</Filters>}
      {notice}
      {error && !data ? (
        <ErrorNote error={error} retry={refetch} />
      ) : isEmpty ? (
        <EmptyState {...(hasFilters ? t.list.noMatch : empty)} />
      ) : (
        <DataTable {...rest} rows={rows} isOld={isPlaceholderData || areRowsOld} />
      )}
      {data && <Pages {...data} />}
    </>
  );
}

/** On narrow screens behind a button: the rows come first. */
function Filters({ children }: { children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" mb="xs" hiddenFrom="xs" aria-expanded={isOpen} onClick={toggle}>
        {t.list.filters}
      </Button>
      <Group className="filters" data-closed={!isOpen || undefined} gap="xs" mb="sm" align="flex-end">
        {children}
      </Group>
    </>
  );
}

interface DataTableProps<T> extends Pick<
  ListPageProps<T>,
  'columns' | 'rowKey' | 'rowsWhileLoading' | 'title'
> {
  /** Undefined while they are read: their place is kept. */
  rows: T[] | undefined;
  isOld?: boolean;
}

/** The table of a list, for pages that hold more than one. */
export function DataTable<T>({ isOld = false, ...table }: DataTableProps<T>) {
  return (
    <div aria-busy={table.rows === undefined || isOld} style={{ opacity: isOld ? 0.6 : 1 }}>
      <Rows {...table} />
    </div>
  );
}

/**
 * Apart from what becomes paler while the next rows are read: each cell is drawn again with its table, and there are a
 * thousand.
 */
const Rows = memo(
  function Rows<T>({
    rows,
    columns,
    rowKey,
    title,
    rowsWhileLoading = 15,
  }: Omit<DataTableProps<T>, 'isOld'>) {
    return (
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, header, align, width, isSecondary }) => (
                <Table.Th
                  key={key}
                  ta={align}
                  w={width}
                  visibleFrom={isSecondary ? 'sm' : undefined}
                  fw={500}
                  c="dimmed"
                >
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows === undefined
              ? Array.from({ length: rowsWhileLoading }, (_, n) => (
                  <Table.Tr key={n}>
                    {columns.map(({ key, isSecondary }) => (
                      <Table.Td key={key} visibleFrom={isSecondary ? 'sm' : undefined}>
                        <Skeleton h={12} my={4} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))
              : rows.map((row, index) => <DataRow key={rowKey(row, index)} row={row} columns={columns} />)}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    );
  },
  // Keys of the same rows are the same, whichever function makes them.
  (former, next) =>
    former.rows === next.rows && former.columns === next.columns && former.title === next.title,
) as <T>(props: Omit<DataTableProps<T>, 'isOld'>) => ReactNode;

interface DataRowProps<T> {
  row: T;
  columns: Column<T>[];
}

/** Drawn again only when its row has changed, on pages whose columns are constant. */
const DataRow = memo(function DataRow<T>({ row, columns }: DataRowProps<T>) {
  return (
    <Table.Tr className="linked-row">
      {columns.map(({ key, cell, align, isSecondary }) => (
        <Table.Td key={key} ta={align} visibleFrom={isSecondary ? 'sm' : undefined}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}) as <T>(props: DataRowProps<T>) => ReactNode;

/** The number of all rows, and the page among the search parameters; for pages that hold more than a list. */
export function Pages({ total, current_page = 1, last_page = 1, per_page }: Omit<ListData<unknown>, 'data'>) {
  const change = useSearchChange();
  if (!total) return null;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed">
        {t.list.total(formatCount(total))}
      </Text>
      <Group gap="sm">
        <Box visibleFrom="sm">
          <Select
            aria-label={t.list.perPage}
            size="xs"
            w={110}
            data={PAGE_SIZES.map((value) => ({ value, label: t.list.rows(value) }))}
            value={String(per_page)}
            onChange={(value) => change({ per_page: value ?? undefined, page: undefined })}
            allowDeselect={false}
          />
        </Box>
        <Pagination
          size="sm"
          value={current_page}
          total={last_page}
          onChange={(page) => change({ page: page === 1 ? undefined : page })}
          getControlProps={(control) => ({ 'aria-label': t.list.controls[control] })}
          getItemProps={(page) => ({ 'aria-label': t.list.page(page) })}
        />
      </Group>
    </Group>
  );
}
