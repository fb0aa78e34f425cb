import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { $api } from '#console/api/client';
import { FilterDays } from '#console/components/filter-days';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column, type ListData } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { FilterCampaign, FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { StatusBadge } from '#console/components/status-badge';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { nameOf, outcomeOf, statusOf, toneOf, type Lead } from './lead-words';

export function LeadsPage() {
  const { can, times } = useSession();
  const search = useSearch({ from: '/shell/leads' });
  const { page = 1, per_page, ...filters } = search;
  const query = $api.useQuery(
    'get',
    '/user/leads',
    { params: { query: { ...search, page, timezone: times.zone } as never } },
    { placeholderData: keepPreviousData },
  );
  const actions = (
    <>
      <LinkButton size="xs" variant="default" to="/leads/new" search={{ campaign_id: search.campaign_id }}>
        {t.leads.create}
      </LinkButton>
      <LinkButton
        size="xs"
        leftSection={<FileUp size={14} />}
        to="/leads/import"
        search={{ campaign_id: search.campaign_id }}
      >
        {t.leads.import}
      </LinkButton>
    </>
  );
  return (
    <ListPage
      title={t.leads.title}
      // With `page` the answer is one page.
      query={{ ...query, data: query.data as ListData<Lead> | undefined }}
      columns={columnsOf()}
      rowKey={({ id }) => id}
      filters={<LeadFilters />}
      hasFilters={Object.keys(filters).length > 0}
      empty={{
        ...t.leads.empty,
        action: can('write') && <LinkButton to="/leads/import">{t.leads.import}</LinkButton>,
      }}
      actions={can('write') && actions}
    />
  );
}

function columnsOf(): Column<Lead>[] {
  const { columns } = t.leads;
  return [
    {
      key: 'number',
      header: columns.number,
      cell: ({ id, phone_number: phone }) => (
        <LinkAnchor className="row-link" to="/leads/$id" params={{ id: String(id) }} c="inherit" fz="sm">
          {formatPhone(phone)}
        </LinkAnchor>
      ),
    },
    { key: 'name', header: columns.name, isSecondary: true, cell: (lead) => nameOf(lead) ?? '–' },
    { key: 'campaign', header: columns.campaign, isSecondary: true, cell: ({ campaign }) => campaign.name },
    {
      key: 'status',
      header: columns.status,
      cell: ({ status }) => <StatusBadge tone={toneOf(status)}>{statusOf(status)}</StatusBadge>,
    },
    {
      key: 'outcome',
      header: columns.outcome,
      isSecondary: true,
      cell: ({ last_outcome: outcome }) => outcomeOf(outcome),
    },
    {
      key: 'attempts',
      header: columns.attempts,
      align: 'right',
      isSecondary: true,
      cell: (lead) => lead.attempts,
    },
    {
      key: 'next',
      header: columns.next,
      align: 'right',
      isSecondary: true,
      cell: ({ next_attempt_at: at }) => <Moment at={at} />,
    },
    {
      key: 'created',
      header: columns.created,
      align: 'right',
      isSecondary: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
  ];
}

function LeadFilters() {
  const { filters, statuses } = t.leads;
  return (
    <>
      <FilterText name="phone_number" label={filters.phone} placeholder="+1 500 555 …" />
      <FilterSelect name="status" label={filters.status} data={optionsOf(statuses)} />
      <FilterCampaign />
      <FilterDays labelOf={filters.days} />
    </>
  );
}
