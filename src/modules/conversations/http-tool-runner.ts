import type { OutboundHttp } from '#src/common/outbound-http/outbound-http.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { ConversationTool } from './engine/conversation-settings.js';
import type { ToolOutcome, ToolRunner } from './engine/tool-runner.js';
import { ToolArgumentError, toolRequest } from './tool-request.js';

/** More would only be cut out of the model's attention again. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Calls the endpoints of an assistant's tools, under the rules for URLs that users named. */
export class HttpToolRunner implements ToolRunner {
  constructor(
    private readonly http: OutboundHttp,
    private readonly tools: AssistantView['tools'],
  ) {}

  async run(
    tool: ConversationTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const definition = this.tools.find(({ id }) => id === tool.id);
    if (!definition) return { ok: false, error: 'The tool does not exist.', durationMs: 0, statusCode: null };
    const request = buildRequest(definition, args);
    if (request instanceof ToolArgumentError) {
      return { ok: false, error: request.message, durationMs: 0, statusCode: null };
    }
    const result = await this.http.request({
      ...request,
      timeoutMs: definition.timeout * 1000,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    const { durationMs } = result;
    if (!result.ok) return { ok: false, error: result.message, durationMs, statusCode: null };
    const { statusCode, body } = result;
    if (statusCode >= 200 && statusCode < 300)
      return { ok: true, result: readAnswer(body), durationMs, statusCode };
    return { ok: false, error: `The tool answered with status ${statusCode}.`, durationMs, statusCode };
  }
}

function buildRequest(...parts: Parameters<typeof toolRequest>) {
  try {
    return toolRequest(...parts);
  } catch (error) {
    if (error instanceof ToolArgumentError) return error;
    throw error;
  }
}

function readAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
