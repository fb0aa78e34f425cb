import { Tooltip } from '@mantine/core';
import { formatRelative, parseTime } from '#console/formats/time';
import { TICK_MS, useNow } from '#console/formats/use-now';
import { useSession } from '#console/session/session';

/** `3 min ago`, with the time in the account's zone on hover. @param at as the API tells it */
export function Moment({ at }: { at: string | null }) {
  const { times } = useSession();
  const current = useNow();
  if (at === null) return '–';
  const time = parseTime(at);
  const absolute = `${times.dateTime(time)} ${times.zone}`;
  return (
    <Tooltip label={absolute}>
      <time dateTime={time.toISOString()} className="above-link" style={{ whiteSpace: 'nowrap' }}>
        {formatRelative(time, Math.max(current, Math.min(time.getTime(), current + TICK_MS)))}
      </time>
    </Tooltip>
  );
}
