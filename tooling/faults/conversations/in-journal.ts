import type { JournalEntry } from '../../sandbox/journal.js';
import type { HeardSpeech, ObservedCall } from '../verifiers/conversations.js';

const DOCUMENTS = new Set(['answer', 'incoming', 'action', 'redirect', 'fallback']);

/** The carrier's journal of a call. @param entries of this call, oldest first */
export function inJournal(
  entries: readonly JournalEntry[],
): Pick<
  ObservedCall,
  | 'speech'
  | 'socketLostAt'
  | 'documents'
  | 'documentsAt'
  | 'stalledMs'
  | 'answeredAt'
  | 'endedAt'
  | 'toldReason'
> {
  const callbacks = entries.filter(({ kind }) => kind === 'callback');
  const documents = callbacks.filter(({ event, status }) => DOCUMENTS.has(String(event)) && status === 200);
  const time = (entry: JournalEntry | undefined): number | null => (entry ? Date.parse(entry.at) : null);
  return {
    speech: entries
      .filter(({ kind }) => kind === 'speech')
      .map((entry) => ({ ...(entry as unknown as HeardSpeech), at: Date.parse(entry.at) })),
    socketLostAt: entries.filter(({ kind }) => kind === 'socket-lost').map(({ at }) => Date.parse(at)),
    documents: documents.length,
    documentsAt: documents.map(({ at }) => Date.parse(at)),
    stalledMs: Math.max(0, ...entries.filter(({ kind }) => kind === 'stall').map(({ ms }) => Number(ms))),
    answeredAt: time(documents[0]),
    toldReason: callbacks.map(reasonIn).findLast((reason) => reason !== null) ?? null,
    endedAt: time(callbacks.find(({ event }) => event === 'status:completed')),
  };
}

/** The service ends a session with its reason, which the carrier passes on to the action URL. */
function reasonIn({ params }: JournalEntry): string | null {
  const data = (params as Record<string, string> | undefined)?.['HandoffData'];
  return data === undefined ? null : (JSON.parse(data) as { reason: string }).reason;
}
