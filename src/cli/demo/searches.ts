import { SEARCH_KNOWLEDGE } from '#src/modules/conversations/engine/knowledge-function.js';
import type { DataResponse, DemoApi, DemoCall } from './api.js';

/** A search of the assistant in its documents. */
export interface DemoSearch {
  question: string;
  /** Document and section of the best passage; null: there is none. */
  source: string | null;
}

interface Turn {
  tool?: { name: string; arguments: Record<string, unknown>; result: string };
}

/** Of the completed calls. */
export async function readSearches(api: DemoApi, calls: readonly DemoCall[]): Promise<DemoSearch[]> {
  const completed = calls.filter(({ status }) => status === 'completed');
  const turns = await Promise.all(
    completed.map(({ id }) => api.get<DataResponse<{ turns: Turn[] }>>(`/user/calls/${id}/turns`)),
  );
  return turns
    .flatMap(({ data }) => data.turns)
    .flatMap(({ tool }) => (tool?.name === SEARCH_KNOWLEDGE ? [tool] : []))
    .map((tool) => ({
      question: String(tool.arguments['question']),
      source: sourceIn(tool.result),
    }));
}

function sourceIn(result: string): string | null {
  const { passages = [] } = (result === '' ? {} : JSON.parse(result)) as {
    passages?: { document: string; section: string }[];
  };
  const [best] = passages;
  return best ? [best.document, best.section].filter((part) => part !== '').join(' > ') : null;
}
