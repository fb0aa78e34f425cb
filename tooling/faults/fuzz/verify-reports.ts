/** What the carrier has told about a call, and what the service has made of it. */
export interface ReportedCall {
  /** Number, direction and the carrier's id. */
  what: string;
  /** How it ended at the carrier. */
  carrierStatus: string;
  /** When the first report of its end was answered, in milliseconds since the epoch; null: none ever was. */
  endReportedAt: number | null;
  /** Both sides were heard, a second at least before the service hung up or spoke to a machine. All callees are people. */
  isConversation: boolean;
  /** The service was too slow to say what is to become of the call, so the carrier ended it. */
  isGivenUp: boolean;
  /** Null: the service has no record of it. */
  record: CallRow | null;
  /** Webhooks that told the account of its completion. */
  completions: number;
}

export interface CallRow {
  id: number;
  sid: string | null;
  status: string;
  endedReason: string | null;
  /** Milliseconds since the epoch; null: it has not ended. */
  endedAt: number | null;
  /** Micros. */
  cost: bigint;
  /** Entries of the ledger. */
  charges: number;
  /** It takes a slot of its account. */
  takesSlot: boolean;
}

/** Final status of a call's record by that at the carrier. */
const FINAL: Readonly<Record<string, string>> = {
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'no-answer',
};
/** Between the clocks of the database and of the journal, which writes whole milliseconds. */
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
    // What is free may have an entry, too.
    ...(charges === 1 || (charges === 0 && cost === 0n)
      ? []
      : [`cost ${cost}, and was charged ${charges} times`]),
    ...(takesSlot ? ['still takes a slot'] : []),
  ];
}
