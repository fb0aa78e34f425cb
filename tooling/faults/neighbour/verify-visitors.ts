import { quantile } from './verify-neighbour.js';

/** The requests of a widget's visitor and their effects. Latencies are of another tenant's `GET /user/me`, in ms. */
export interface VisitorPart {
  name: string;
  /** Frames and messages that were sent. */
  sent: number;
  /** Requests received by the language model. */
  requests: number;
  quietMs: readonly number[];
  loadedMs: readonly number[];
  /** Of the longest transcript of its calls. */
  transcriptBytes: number;
  /** Statuses of the calls that the account starts in the meantime. */
  ownCalls: readonly number[];
}

const MAX_REQUESTS = 40;
const MAX_FACTOR = 5;
const MAX_TRANSCRIPT_BYTES = 200_000;
/** A part without load must not pass. */
const MIN_SENT = 50;
const MIN_SAMPLES = 100;

/** For the text conversation only the limits of requests are known in advance. */
export function visitorProblems(part: VisitorPart): string[] {
  const [quiet, loaded] = [quantile(part.quietMs, 0.95), quantile(part.loadedMs, 0.95)];
  const problems = [
    ...(part.sent < MIN_SENT ? [`only ${part.sent} frames or messages were sent`] : []),
    ...(part.requests === 0 ? ['the model was not asked'] : []),
    ...(part.requests > MAX_REQUESTS
      ? [`${part.requests} requests of the model, allowed ${MAX_REQUESTS}`]
      : []),
    ...(part.quietMs.length < MIN_SAMPLES || part.loadedMs.length < MIN_SAMPLES ? ['not measured'] : []),
    ...(loaded > MAX_FACTOR * quiet
      ? [`p95 ${loaded.toFixed(1)} ms is more than ${MAX_FACTOR} times ${quiet.toFixed(1)} ms`]
      : []),
    ...(part.transcriptBytes > MAX_TRANSCRIPT_BYTES ? [`a transcript of ${part.transcriptBytes} bytes`] : []),
    ...(part.ownCalls.length === 0 ? ['the account began no call'] : []),
    ...part.ownCalls.filter((status) => status !== 200).map((status) => `a call of the account: ${status}`),
  ];
  return problems.map((problem) => `${part.name}: ${problem}`);
}
