import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Engine } from './engines.js';

export interface Question {
  question: string;
  /** Names of the pages that answer it, without `.html`. */
  pages: string[];
}

const FILE = 'tooling/bench/knowledge/questions.yaml';

export const readQuestions = (): Record<'tuning' | 'held', Question[]> =>
  load(readFileSync(FILE, 'utf8')) as Record<'tuning' | 'held', Question[]>;

/** The share of the questions of which one of the first `limit` chunks is of a page that answers them. */
export async function recall(engine: Engine, questions: readonly Question[], limit: number): Promise<number> {
  let answered = 0;
  for (const { question, pages } of questions) {
    const found = await engine(question, limit);
    if (found.some(({ page }) => pages.includes(page.replace(/\.html$/, '')))) answered++;
  }
  return answered / questions.length;
}
