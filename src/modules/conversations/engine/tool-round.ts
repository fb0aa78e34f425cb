import type { ConversationTool } from './conversation-settings.js';
import type { ModelToolCall } from '../../llm/language-model.js';
import { BUILT_IN_ENDS, readArguments, SWITCH_LANGUAGE_TOOL } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { SpokenLanguage } from './spoken-language.js';
import type { Transcript } from './transcript.js';
import type { ToolRunner, ToolOutcome } from './tool-runner.js';

/** Maximum length of a result, which is sent to the model again with every later turn. */
const MAX_ANSWER_CHARACTERS = 16_000;

/** Runs the tools that the model called in one answer. The model gets a result or an error for each. */
export class ToolRound {
  private readonly tools: ReadonlyMap<string, ConversationTool>;

  constructor(
    private readonly clock: Clock,
    private readonly runner: ToolRunner,
    private readonly transcript: Transcript,
    tools: readonly ConversationTool[],
    private readonly language: SpokenLanguage,
    /** Aborts when the conversation is over. */
    private readonly over: AbortSignal,
  ) {
    const offered = language.choice.length > 0 ? [...tools, SWITCH_LANGUAGE_TOOL] : tools;
    this.tools = new Map(offered.map((tool) => [tool.name, tool]));
  }

  /** The calls of an answer that take time, as opposed to those that end the conversation. */
  static lasting(calls: readonly ModelToolCall[]): ModelToolCall[] {
    return calls.filter(({ name }) => !BUILT_IN_ENDS.has(name));
  }

  /** Runs the tools in parallel; call and result are added to the memory together. */
  async run(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<void> {
    const answers = await Promise.all(
      ToolRound.lasting(calls).map(async (call) => ({ call, answer: await this.answer(call) })),
    );
    entry.tools.push(...answers);
  }

  private async answer(call: ModelToolCall): Promise<string> {
    const tool = this.tools.get(call.name);
    if (!tool) return toText({ ok: false, error: 'There is no such tool.', durationMs: 0, statusCode: null });
    const read = readArguments(tool.parameters, call.arguments);
    const known = 'values' in read;
    const outcome = known ? await this.outcome(tool, read.values) : failed(read.fault);
    const answer = toText(outcome);
    const args = known ? read.values : null;
    this.transcript.toolCall({
      name: tool.name,
      arguments: args,
      outcome,
      answer,
    });
    return answer;
  }

  private async outcome(tool: ConversationTool, values: Record<string, unknown>): Promise<ToolOutcome> {
    if (tool === SWITCH_LANGUAGE_TOOL) return this.language.switchTo(values['language']);
    const startedAt = this.clock.now();
    try {
      return await this.runner.run(tool, values, this.over);
    } catch {
      // Runners report failures of the endpoint as results; a thrown error means nothing to the model.
      return failed('The tool failed.', this.clock.now() - startedAt);
    }
  }
}

const failed = (error: string, durationMs = 0): ToolOutcome => ({
  ok: false,
  error,
  durationMs,
  statusCode: null,
});

function toText(outcome: ToolOutcome): string {
  const content = outcome.ok ? (outcome.result ?? null) : { error: outcome.error, answer: outcome.result };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.slice(0, MAX_ANSWER_CHARACTERS);
}
