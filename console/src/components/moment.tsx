import { formatRelative, parseTime } from '#console/formats/time';
import { TICK_MS, useTicking } from '#console/formats/use-now';
import { useSession } from '#console/session/session';

/** `3 min ago`, with the time in the account's zone on hover. @param at as the API tells it */
export function Moment({ at }: { at: string | null }) {
  const { times } = useSession();
  if (at === null) return '–';
  const time = parseTime(at);
  // The browser's own hint: lists have one in each row, and a tooltip is a component with state.
  return (
    <time
      dateTime={time.toISOString()}
      title={`${times.dateTime(time)} ${times.zone}`}
      className="above-link"
      style={{ whiteSpace: 'nowrap' }}
    >
      <Relative time={time} />
    </time>
  );
}

/** Apart, as it changes with time. */
function Relative({ time }: { time: Date }) {
  return useTicking((now) => formatRelative(time, Math.max(now, Math.min(time.getTime(), now + TICK_MS))));
}
