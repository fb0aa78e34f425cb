import type { ConversationTool } from './conversation-settings.js';
import type { ModelToolCall } from '../../llm/language-model.js';
import { BUILT_IN_ENDS, type BuiltInFunction, readArguments } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { Transcript } from './transcript.js';
import type { ToolRunner, ToolOutcome } from './tool-runner.js';

/** Maximum length of a result, which is sent to the model again with every later turn. */
const MAX_ANSWER_CHARACTERS = 16_000;

/** Calls of one answer that are run; somebody may ask for "all numbers from 1 to 50". */
const MAX_CALLS = 5;

/** Runs the tools that the model called in one answer. The model gets a result or an error for each. */
export class ToolRound {
  private readonly tools: ReadonlyMap<string, ConversationTool>;
  private readonly functions: ReadonlyMap<string, BuiltInFunction>;

  constructor(
    private readonly clock: Clock,
    private readonly runner: ToolRunner,
    private readonly transcript: Pick<Transcript, 'toolCall'>,
    tools: readonly ConversationTool[],
    functions: readonly BuiltInFunction[],
    /** Aborts when the conversation is over. */
    private readonly over: AbortSignal,
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.functions = new Map(functions.map((one) => [one.tool.name, one]));
  }

  /** The calls of an answer that take time, as opposed to those that end the conversation. */
  static lasting(calls: readonly ModelToolCall[]): ModelToolCall[] {
    return calls.filter(({ name }) => !BUILT_IN_ENDS.has(name));
  }

  /** Whether one of them is a tool of the user's. */
  asksEndpoint(calls: readonly ModelToolCall[]): boolean {
    return calls.some(({ name }) => this.tools.has(name));
  }

  /**
   * Runs the first five tools in parallel; call and result are added to the memory together. @returns whether the model
   * has to answer: not when everything that ran leaves the word to the customer
   */
  async run(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<boolean> {
    const answers = await Promise.all(
      ToolRound.lasting(calls).map(async (call, index) => ({
        call,
        ...(index < MAX_CALLS ? await this.answer(call) : TOO_MANY),
      })),
    );
    entry.tools.push(...answers.map(({ call, answer }) => ({ call, answer })));
    return answers.some(({ call, ok }) => !ok || !this.functions.get(call.name)?.givesWord);
  }

  private async answer(call: ModelToolCall): Promise<{ ok: boolean; answer: string }> {
    const tool = this.tools.get(call.name) ?? this.functions.get(call.name)?.tool;
    if (!tool) return { ok: false, answer: toText(failed('There is no such tool.')) };
    const read = readArguments(tool.parameters, call.arguments);
    const known = 'values' in read;
    const outcome = known ? await this.outcome(call.name, read.values) : failed(read.fault);
    const answer = toText(outcome);
    const args = known ? read.values : null;
    this.transcript.toolCall({ name: tool.name, arguments: args, outcome, answer });
    return { ok: outcome.ok, answer };
  }

  private async outcome(name: string, values: Record<string, unknown>): Promise<ToolOutcome> {
    const startedAt = this.clock.now();
    try {
      const tool = this.tools.get(name);
      return await (tool
        ? this.runner.run(tool, values, this.over)
        : (this.functions.get(name)?.run(values) ?? failed('There is no such tool.')));
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

const TOO_MANY = {
  ok: false,
  answer: JSON.stringify({ error: `Not run: at most ${MAX_CALLS} tools may be called at once.` }),
};

function toText(outcome: ToolOutcome): string {
  const content = outcome.ok ? (outcome.result ?? null) : { error: outcome.error, answer: outcome.result };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.slice(0, MAX_ANSWER_CHARACTERS);
}
