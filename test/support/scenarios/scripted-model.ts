import { FakeLanguageModel, type ModelStep as Said } from '#src/modules/llm/language-model.fake.js';
import { LanguageModelError, type ModelDelta, type StreamRequest } from '#src/modules/llm/language-model.js';
import type { Clock } from '#src/modules/conversations/engine/clock.js';
import { milliseconds, type ModelStep, type Scenario } from './scenario.types.js';
import { wordsOf } from './speech-queue.js';

/** A model that gives the scenario's answers, in order and word by word. */
export class ScriptedModel extends FakeLanguageModel {
  constructor(
    clock: Clock,
    private readonly answers: Scenario['model'],
    private readonly onAsk: () => void,
  ) {
    super(clock);
    for (const answer of answers) {
      const steps = typeof answer === 'string' ? [{ say: answer }] : answer;
      this.willSay(...steps.flatMap(toSteps));
    }
  }

  get hasAnswer(): boolean {
    return this.requests.length < this.answers.length;
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.onAsk();
    yield* super.stream(request, signal);
  }
}

function toSteps(step: ModelStep): Said[] {
  if ('say' in step) return wordsOf(step.say);
  if ('wait' in step) return [{ waitMs: milliseconds(step.wait) }];
  if ('call' in step) {
    const { with: given = {} } = step;
    return [{ call: step.call, args: typeof given === 'string' ? given : JSON.stringify(given) }];
  }
  return [{ failure: new LanguageModelError('scripted', step.fails === 'retryable') }];
}
