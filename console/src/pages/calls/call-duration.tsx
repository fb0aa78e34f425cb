import { Elapsed } from '#console/components/elapsed';
import { formatDuration } from '#console/formats/duration';
import { isRunning, type Call } from './call-words';

/** From answer to end; of a running call it counts. */
export function CallDuration({ call }: { call: Call }) {
  if (!isRunning(call)) return formatDuration(call.duration);
  return call.answered_at === null ? '–' : <Elapsed since={call.answered_at} />;
}
