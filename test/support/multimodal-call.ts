/** Of an assistant that a realtime model speaks for. */
export const MULTIMODAL = { engine_type: 'multimodal', llm_model: 'gpt-realtime-2.1', voice_id: 70 };

interface Speech {
  kind: string;
  who?: unknown;
  text?: unknown;
  heard?: unknown;
  whole?: unknown;
}

/** Everything that each side said, without the pauses: the callee knows no turns of a side that goes on speaking. */
interface Words {
  assistant: string;
  customer: string;
}

const joined = (texts: readonly string[]): string => texts.join('').replace(/\s/g, '');

/** What was said and heard, by a call's journal. */
export function journalWords(journal: readonly Speech[]): Words {
  const speech = journal.filter(({ kind }) => kind === 'speech');
  const of = (wanted: string): string =>
    joined(
      speech
        .filter(({ who }) => who === wanted)
        .map(({ text, heard }) => String((wanted === 'assistant' ? heard : undefined) ?? text)),
    );
  return { assistant: of('assistant'), customer: of('callee') };
}

/** The same by a transcript. */
export function transcriptWords(transcript: string): Words {
  const of = (who: string): string =>
    joined(
      transcript
        .split('\n')
        .filter((line) => line.startsWith(`${who}: `))
        .map((line) => line.slice(who.length + 2)),
    );
  return { assistant: of('AI'), customer: of('Customer') };
}
