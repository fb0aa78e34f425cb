import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { ExportButton } from '#console/components/export-button';
import { FilterDays } from '#console/components/filter-days';
import { lazyDialog } from '#console/components/lazy-part';
import { LinkAnchor } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { useSearchChange } from '#console/components/use-search-change';
import { Moment } from '#console/components/moment';
import { PageHeader } from '#console/components/page-header';
import { FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { actionOf, actorOf, Resource, type Entry } from './audit-words';

const EntryDialog = lazyDialog('AuditEntry', async () => (await import('./entry-dialog')).default);

export function AuditLogPage() {
  const { can } = useSession();
  if (can('admin')) return <AuditLog />;
  return <PageHeader title={t.auditLog.title} text={t.needsScope('admin')} />;
}

function AuditLog() {
  // The entry whose details are open is in the address, but no filter.
  const { entry: open, ...search } = useSearch({ from: '/shell/audit-log' });
  const { page: _page, per_page: _size, ...filters } = search;
  const { zone: timezone } = useSession().times;
  const change = useSearchChange();
  const query = $api.useQuery(
    'get',
    '/user/audit-log',
    { params: { query: { ...search, timezone } as never } },
    { placeholderData: keepPreviousData },
  );
  const shown = query.data?.data.find(({ id }) => String(id) === open);
  return (
    <>
      <ListPage
        title={t.auditLog.title}
        text={t.auditLog.text}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        filters={<Filters />}
        hasFilters={Object.keys(filters).length > 0}
        empty={t.auditLog.empty}
        actions={
          <ExportButton
            path="/user/audit-log/export"
            filters={{ ...filters, timezone }}
            name="audit-log.csv"
            texts={t.auditLog}
          />
        }
      />
      {shown && <EntryDialog entry={shown} close={() => change({ entry: undefined })} />}
    </>
  );
}

function Filters() {
  const { filters, actions, actors, resources } = t.auditLog;
  return (
    <>
      <FilterSelect name="action" label={filters.action} data={optionsOf(actions)} w={220} />
      <FilterSelect name="actor" label={filters.actor} data={optionsOf(actors)} />
      <FilterText name="key_id" label={filters.key} placeholder={filters.idHint} inputMode="numeric" w={90} />
      <FilterSelect name="resource_type" label={filters.resource} data={optionsOf(resources)} />
      <FilterText name="resource_id" label={filters.resourceId} placeholder={filters.idHint} w={110} />
      <FilterDays />
    </>
  );
}

const COLUMNS: Column<Entry>[] = [
  {
    key: 'action',
    header: t.auditLog.columns.action,
    cell: (entry) => (
      <LinkAnchor
        className="row-link"
        to="."
        search={((former: object) => ({ ...former, entry: String(entry.id) })) as never}
        c="inherit"
        fz="sm"
      >
        {actionOf(entry)}
      </LinkAnchor>
    ),
  },
  { key: 'resource', header: t.auditLog.columns.resource, cell: (entry) => <Resource entry={entry} /> },
  { key: 'who', header: t.auditLog.columns.who, cell: actorOf },
  {
    key: 'fields',
    header: t.auditLog.columns.fields,
    isSecondary: true,
    cell: ({ fields }) => (fields.length === 0 ? '–' : t.auditLog.fields(fields)),
  },
  {
    key: 'address',
    header: t.auditLog.columns.address,
    isSecondary: true,
    cell: ({ address }) => address ?? '–',
  },
  {
    key: 'created',
    header: t.auditLog.columns.created,
    align: 'right',
    isSecondary: true,
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
];
