import { setTimeout as sleep } from 'node:timers/promises';
import { LanguageModel, type ModelDelta, type StreamRequest } from '#src/modules/llm/language-model.js';
import type { TurnWatch } from './waits.js';

const FIRST_TOKEN_MS = 150;
const TOKEN_MS = 30;

export const ANSWER =
  'Your bicycle is ready, and you can collect it tomorrow from ten on, if that suits you.';
const TOKENS = ANSWER.match(/\S+\s*/g) ?? [];

/** Streams the same response at every turn, with the latency of a fast model. */
export class ScriptedModel extends LanguageModel {
  constructor(private readonly watch: TurnWatch) {
    super();
  }

  override async warm(): Promise<void> {}

  override async *stream(_request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.watch.asked();
    const due = performance.now() + FIRST_TOKEN_MS;
    await sleep(FIRST_TOKEN_MS);
    this.watch.firstDelta(due);
    for (const text of TOKENS) {
      if (signal.aborted) return;
      yield { kind: 'text', text };
      await sleep(TOKEN_MS);
    }
  }

  override complete(): Promise<string> {
    return Promise.reject(new Error('Complete answers are not implemented.'));
  }
}
