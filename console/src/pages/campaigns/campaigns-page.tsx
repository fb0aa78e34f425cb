import { Box, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { $api, type Schemas } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { StatusBadge, type Tone } from '#console/components/status-badge';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { callsNow, LeadsBar, progressText, type LeadCounts } from './leads-bar';
import { usePaces } from './use-pace';
import { shortTime } from './waiting-words';

type Campaign = Schemas['CampaignResponse'];

const PAGE_SIZE = 15;
const REREAD_MS = 10_000;

const TONES: Record<Campaign['status'], Tone> = {
  draft: 'neutral',
  'in-progress': 'running',
  stopped: 'waiting',
  completed: 'good',
};

export function CampaignStatus({ campaign }: { campaign: Pick<Campaign, 'status' | 'stopped_reason'> }) {
  const { status, stopped_reason: stopped } = campaign;
  return (
    <StatusBadge tone={stopped === null ? TONES[status] : 'bad'}>
      {t.campaigns.statuses[status] ?? status}
    </StatusBadge>
  );
}

export function CampaignsPage() {
  const { can } = useSession();
  const search = useSearch({ from: '/shell/campaigns' });
  const { name = '', status, page = 1, per_page = PAGE_SIZE } = search;
  const query = $api.useQuery(
    'get',
    '/user/campaigns',
    { params: { query: { counts: 'true' } } },
    { refetchInterval: REREAD_MS },
  );
  const { data: assistants } = $api.useQuery('get', '/user/assistants', {
    params: { query: { type: 'outbound' } },
  });
  const paces = usePaces();
  const found = query.data?.filter(
    (campaign) =>
      campaign.name.toLowerCase().includes(name.toLowerCase()) &&
      (status === undefined || campaign.status === status),
  );
  const create = (
    <LinkButton size="xs" to="/campaigns/new">
      {t.campaigns.create}
    </LinkButton>
  );
  const { noAssistant, toAssistants, ...empty } = t.campaigns.empty;
  return (
    <ListPage
      title={t.campaigns.title}
      query={{
        ...query,
        // The API has no pages of campaigns.
        data: found && {
          data: found.slice((page - 1) * per_page, page * per_page),
          total: found.length,
          per_page,
          current_page: page,
          last_page: Math.max(1, Math.ceil(found.length / per_page)),
        },
      }}
      columns={useColumns(paces)}
      rowKey={({ id }) => id}
      filters={<Filters />}
      hasFilters={name !== '' || status !== undefined}
      rowsWhileLoading={6}
      empty={
        assistants?.length === 0
          ? { ...empty, text: noAssistant, action: <LinkButton to="/assistants">{toAssistants}</LinkButton> }
          : { ...empty, action: can('write') && create }
      }
      actions={can('write') && create}
    />
  );
}

function useColumns(paces: Map<number, number> | undefined): Column<Campaign>[] {
  const { times } = useSession();
  const { columns } = t.campaigns;
  return [
    {
      key: 'name',
      header: columns.name,
      cell: (campaign) => (
        <>
          <LinkAnchor
            className="row-link"
            to="/campaigns/$id"
            params={{ id: String(campaign.id) }}
            c="inherit"
            fz="sm"
          >
            {campaign.name}
          </LinkAnchor>
          <Box hiddenFrom="sm" mt={4}>
            <CampaignStatus campaign={campaign} />
          </Box>
        </>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      isSecondary: true,
      cell: (campaign) => <CampaignStatus campaign={campaign} />,
    },
    {
      key: 'progress',
      header: columns.progress,
      width: '40%',
      cell: ({ leads }) => <Progress leads={leads ?? {}} />,
    },
    {
      key: 'pace',
      header: columns.pace,
      align: 'right',
      isSecondary: true,
      cell: ({ id }) => (paces === undefined ? '' : t.campaigns.calls(paces.get(id) ?? 0)),
    },
    {
      key: 'end',
      header: columns.end,
      align: 'right',
      isSecondary: true,
      cell: ({ estimated_end_at: end, leads }) =>
        end === null || !callsNow(leads ?? {}) ? '–' : t.campaigns.ends(shortTime(parseTime(end), times)),
    },
  ];
}

function Progress({ leads }: { leads: LeadCounts }) {
  return (
    <Stack gap={2} mih={28}>
      <Text size="xs" c="dimmed">
        {progressText(leads)}
      </Text>
      <LeadsBar leads={leads} />
    </Stack>
  );
}

function Filters() {
  const { filters, statuses } = t.campaigns;
  return (
    <>
      <FilterText name="name" label={filters.name} />
      <FilterSelect name="status" label={filters.status} data={optionsOf(statuses)} />
    </>
  );
}
