import type { Journal, JournalEntry } from '../journal.js';
import type { CallRecord, CallWebhooks, RecordingRecord } from './call-record.js';

export interface RememberedCall {
  record: CallRecord;
  urls: CallWebhooks;
}

/** Dates are strings in the journal. */
type Written<T> = { [K in keyof T]: T[K] extends Date | null ? string | null : T[K] };

interface CallLine {
  call: Omit<Written<CallRecord>, 'sid' | 'from' | 'to' | 'recordings'> & {
    recordings: Written<RecordingRecord>[];
  };
  urls: { url: string | null; events: string[]; fallbackUrl: string | null };
}

/** Writes the state of a call, so that a restarted carrier can read it. */
export function rememberCall(journal: Journal, { record, urls }: RememberedCall): void {
  const { sid: _sid, from: _from, to: _to, ...call } = record;
  journal.write('call', record, { call, urls: { ...urls, events: [...urls.events] } });
}

/** The last state of the calls of an earlier process, oldest first. */
export function rememberedCalls(entries: readonly JournalEntry[]): RememberedCall[] {
  const lines = new Map<string, JournalEntry>();
  const deleted = new Set<unknown>();
  for (const entry of entries) {
    if (entry.kind === 'call') lines.set(entry.sid, entry);
    if (entry.kind === 'recording-deletion') deleted.add(entry['recording']);
  }
  return [...lines.values()].map((entry) => {
    const { call, urls } = entry as unknown as CallLine;
    const { sid, from, to } = entry;
    return {
      record: {
        ...call,
        // Journals of earlier versions lack the field.
        parentCallSid: call.parentCallSid ?? null,
        sid,
        from,
        to,
        createdAt: new Date(String(call.createdAt)),
        updatedAt: new Date(String(call.updatedAt)),
        startedAt: dateOrNull(call.startedAt),
        endedAt: dateOrNull(call.endedAt),
        recordings: call.recordings
          .filter((recording) => !deleted.has(recording.sid))
          .map((recording) => ({
            ...recording,
            startedAt: new Date(String(recording.startedAt)),
            endedAt: dateOrNull(recording.endedAt),
          })),
      },
      urls: { ...urls, events: new Set(urls.events) },
    };
  });
}

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));
