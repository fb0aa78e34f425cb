import type { SearchOptions } from '../redaction/find-numbers.js';
import { redactJsonText, redactText, redactValue } from '../redaction/redact-text.js';
import type { ConversationTool } from './engine/conversation-settings.js';
import type { ToolOutcome, ToolRunner } from './engine/tool-runner.js';

/** Hides numbers in the results of tools from the language model. */
export class RedactingToolRunner implements ToolRunner {
  constructor(
    private readonly tools: ToolRunner,
    private readonly options: SearchOptions,
  ) {}

  async run(
    tool: ConversationTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const outcome = await this.tools.run(tool, args, signal);
    const result = this.redact(outcome.result);
    return outcome.ok
      ? { ...outcome, result }
      : { ...outcome, result, error: redactText(outcome.error, this.options) };
  }

  private redact(result: unknown): unknown {
    return typeof result === 'string'
      ? redactJsonText(result, this.options)
      : redactValue(result, this.options);
  }
}
