import { SimpleGrid } from '@mantine/core';
import { $api } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { MetricTile } from '#console/components/metric-tile';
import { formatDuration, formatLatency } from '#console/formats/duration';
import { formatCount, formatShare } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { useRunningCount, type Analytics } from './use-overview';

const SECOND_MS = 1000;

/** The figures of today. */
export function Tiles({ totals }: { totals: Analytics['totals'] | undefined }) {
  const { facts, money } = useSession();
  const running = useRunningCount();
  const { data: me } = $api.useQuery('get', '/user/me');
  const { tiles } = t.overview;
  const {
    calls = 0,
    answered = 0,
    seconds = 0,
    cost = 0,
    response_p50: p50,
    response_p95: p95,
  } = totals ?? {};
  const known = <T,>(value: T): T | undefined => (totals ? value : undefined);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" verticalSpacing="md">
      <MetricTile
        label={tiles.now}
        value={
          running === undefined ? undefined : (
            <LinkAnchor to="/live" c="inherit" inherit>
              {formatCount(running)}
            </LinkAnchor>
          )
        }
        note={tiles.nowNote(facts.plan.max_parallel_calls)}
      />
      <MetricTile
        label={tiles.today}
        value={known(formatCount(calls ?? 0))}
        note={tiles.minutes(formatDuration(seconds ?? 0), running ?? 0)}
      />
      <MetricTile
        label={tiles.answered}
        value={known(formatShare(calls ? (answered ?? 0) / calls : null))}
        note={tiles.answeredNote(answered ?? 0)}
      />
      <MetricTile
        label={tiles.response}
        value={known(p50 == null ? '–' : formatLatency(p50 * SECOND_MS))}
        note={p95 == null ? '' : tiles.responseNote(formatLatency(p95 * SECOND_MS))}
      />
      <MetricTile
        label={tiles.spent}
        value={known(money(cost))}
        note={calls ? tiles.spentNote(money((cost ?? 0) / calls)) : ''}
      />
      <MetricTile
        label={tiles.balance}
        value={me && money(me.total_balance)}
        note={me && tiles.balanceNote(money(me.available_balance))}
      />
    </SimpleGrid>
  );
}
