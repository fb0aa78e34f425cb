import type { ConversationTool } from './conversation-settings.js';
import type { ModelToolCall } from '../../llm/language-model.js';
import { END_REASON_BY_FUNCTION, type BuiltInFunction, parseArguments } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { Transcript } from './transcript.js';
import type { ToolRunner, ToolOutcome } from './tool-runner.js';

/** Maximum length of a result, which every later request repeats; the mark of the rest is added. */
const MAX_RESULT_CHARACTERS = 4_000;

/** Maximum of calls of one response that are run. */
const MAX_CALLS = 5;

/** Runs the tool calls of one response. The model gets a result or an error for each. */
export class ToolRound {
  private readonly tools: ReadonlyMap<string, ConversationTool>;
  private readonly functions: ReadonlyMap<string, BuiltInFunction>;

  constructor(
    private readonly clock: Clock,
    private readonly runner: ToolRunner,
    private readonly transcript: Pick<Transcript, 'addToolCall'>,
    tools: readonly ConversationTool[],
    functions: readonly BuiltInFunction[],
    /** Aborts at the end of the conversation. */
    private readonly endSignal: AbortSignal,
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.functions = new Map(functions.map((one) => [one.tool.name, one]));
  }

  /** The calls of a response without those that end the conversation. */
  static removeEndFunctions(calls: readonly ModelToolCall[]): ModelToolCall[] {
    return calls.filter(({ name }) => !END_REASON_BY_FUNCTION.has(name));
  }

  /** Whether one of the calls is to a user's tool. */
  callsEndpoint(calls: readonly ModelToolCall[]): boolean {
    return calls.some(({ name }) => this.tools.has(name));
  }

  /**
   * Runs the first five tools in parallel; call and result are added to the memory together. @returns whether the model
   * has to respond: not when all of them wait for the customer
   */
  async run(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<boolean> {
    const results = await Promise.all(
      ToolRound.removeEndFunctions(calls).map(async (call, index) => ({
        call,
        ...(index < MAX_CALLS ? await this.runCall(call) : TOO_MANY_CALLS),
      })),
    );
    entry.tools.push(...results.map(({ call, answer }) => ({ call, answer })));
    return results.some(({ call, ok }) => !ok || !this.functions.get(call.name)?.waitsForCustomer);
  }

  private async runCall(call: ModelToolCall): Promise<{ ok: boolean; answer: string }> {
    const tool = this.tools.get(call.name) ?? this.functions.get(call.name)?.tool;
    if (!tool) return { ok: false, answer: toText(failed('There is no such tool.')) };
    const read = parseArguments(tool.parameters, call.arguments);
    const known = 'values' in read;
    const outcome = known ? await this.runTool(call.name, read.values) : failed(read.fault);
    const answer = toText(outcome);
    const args = known ? read.values : null;
    this.transcript.addToolCall({ name: tool.name, arguments: args, outcome, answer });
    return { ok: outcome.ok, answer };
  }

  private async runTool(name: string, values: Record<string, unknown>): Promise<ToolOutcome> {
    const startedAt = this.clock.now();
    try {
      const tool = this.tools.get(name);
      return await (tool
        ? this.runner.run(tool, values, this.endSignal)
        : (this.functions.get(name)?.run(values) ?? failed('There is no such tool.')));
    } catch {
      // Runners report failures of the endpoint as results; a thrown error is not for the model.
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

const TOO_MANY_CALLS = {
  ok: false,
  answer: JSON.stringify({ error: `Not run: at most ${MAX_CALLS} tools may be called at once.` }),
};

function toText(outcome: ToolOutcome): string {
  const content = outcome.ok ? (outcome.result ?? null) : { error: outcome.error, answer: outcome.result };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const left = text.length - MAX_RESULT_CHARACTERS;
  return left <= 0 ? text : `${text.slice(0, MAX_RESULT_CHARACTERS)} [cut: ${left} more characters]`;
}
