import { LinkAnchor } from '#console/components/links';
import type { Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { StatusBadge } from '#console/components/status-badge';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { CallDuration } from './call-duration';
import { partnerOf, toneOf, type Call } from './call-words';

const { columns, statuses, types, answeredBy } = t.calls;

const COLUMNS = {
  number: {
    header: columns.number,
    cell: (call) => (
      <LinkAnchor className="row-link" to="/calls/$id" params={{ id: String(call.id) }} c="inherit" fz="sm">
        {partnerOf(call)}
      </LinkAnchor>
    ),
  },
  status: {
    header: columns.status,
    cell: ({ status }) => <StatusBadge tone={toneOf(status)}>{statuses[status] ?? status}</StatusBadge>,
  },
  assistant: { header: columns.assistant, isSecondary: true, cell: (call) => call.assistant_name },
  campaign: { header: columns.campaign, isSecondary: true, cell: (call) => call.campaign_name ?? '–' },
  type: { header: columns.type, isSecondary: true, cell: ({ type }) => types[type] },
  answeredBy: {
    header: columns.answeredBy,
    isSecondary: true,
    cell: ({ answered_by: by }) => (by === 'unknown' ? '–' : answeredBy[by]),
  },
  duration: { header: columns.duration, align: 'right', cell: (call) => <CallDuration call={call} /> },
  cost: { header: columns.cost, align: 'right', isSecondary: true, cell: (call) => <Cost call={call} /> },
  started: {
    header: columns.started,
    align: 'right',
    isSecondary: true,
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
} satisfies Record<string, Omit<Column<Call>, 'key'>>;

function Cost({ call }: { call: Call }) {
  return useSession().money(call.total_cost);
}

/** Of a table of calls; the first one has the link. */
export const callColumns = (...keys: (keyof typeof COLUMNS)[]): Column<Call>[] =>
  keys.map((key) => ({ key, ...COLUMNS[key] }));
