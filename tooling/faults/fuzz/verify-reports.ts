/** The carrier's reports of a call, and the service's record. */
export interface ReportedCall {
  /** Number, direction and the carrier's id. */
  what: string;
  /** Its final status at the carrier. */
  carrierStatus: string;
  /** Time of the response to the first report of its end, in milliseconds since the epoch; null: no response. */
  endReportedAt: number | null;
  /** Both sides spoke, at least a second before the service hung up or spoke to a machine. All callees are people. */
  isConversation: boolean;
  /** The service's call instructions were too late, so the carrier ended the call. */
  isGivenUp: boolean;
  /** Null: the service has no record of it. */
  record: CallRow | null;
  /** Webhooks that reported its completion to the account. */
  completions: number;
}

export interface CallRow {
  id: number;
  sid: string | null;
  status: string;
  endedReason: string | null;
  /** Milliseconds since the epoch; null: still running. */
  endedAt: number | null;
  /** Micros. */
  cost: bigint;
  /** Entries of the ledger. */
  charges: number;
  /** It holds a slot of its account. */
  takesSlot: boolean;
}

/** Final status of a call's record by the status at the carrier. */
const FINAL: Readonly<Record<string, string>> = {
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'no-answer',
};
/** Between the clocks of the database and of the journal, which has whole milliseconds. */
const CLOCK_MS = 100;

/** The last state counts, an end counts at once and once, and no machine ends a conversation. */
export function reportProblems(calls: readonly ReportedCall[]): string[] {
  if (calls.length === 0) return ['no call was reported'];
  return calls.flatMap((call) => problemsOf(call).map((problem) => `${call.what} ${problem}`));
}

function problemsOf(call: ReportedCall): string[] {
  const { record, carrierStatus, endReportedAt, isConversation, isGivenUp, completions } = call;
  if (!record) return isGivenUp ? [] : ['has no record'];
  const { status, endedReason, endedAt, cost, charges, takesSlot } = record;
  const lateMs = (endedAt ?? Infinity) - (endReportedAt ?? Infinity);
  return [
    ...(isGivenUp || status === FINAL[carrierStatus]
      ? []
      : [`is ${status}, at the carrier ${carrierStatus}`]),
    ...(endReportedAt !== null && lateMs > CLOCK_MS
      ? [`ended ${Math.round(lateMs)} ms after its report`]
      : []),
    ...(isConversation && endedReason === 'voicemail'
      ? ['was ended as one with a machine after both had spoken']
      : []),
    ...(completions === 1 ? [] : [`was told to be complete ${completions} times`]),
    // A free call may have an entry, too.
    ...(charges === 1 || (charges === 0 && cost === 0n)
      ? []
      : [`cost ${cost}, and was charged ${charges} times`]),
    ...(takesSlot ? ['still takes a slot'] : []),
  ];
}
