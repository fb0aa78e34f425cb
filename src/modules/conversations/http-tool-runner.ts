import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import {
  statusFailure,
  ToolArgumentError,
  toolRequestOptions,
  buildToolRequest,
} from '../tools/tool-request.js';
import type { ConversationTool } from './engine/conversation-settings.js';
import type { ToolOutcome, ToolRunner } from './engine/tool-runner.js';

const MAX_ERROR_BODY_CHARACTERS = 2_000;

/** Calls the endpoints of an assistant's tools, under the rules for URLs given by users. */
export class HttpToolRunner implements ToolRunner {
  constructor(
    private readonly http: OutboundHttpService,
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
    const result = await this.http.request({ ...request, ...toolRequestOptions(definition), signal });
    const { durationMs } = result;
    if (!result.ok) return { ok: false, error: result.message, durationMs, statusCode: null };
    const { statusCode, body } = result;
    if (result.unreadable) return { ok: false, error: body, durationMs, statusCode };
    const error = statusFailure(statusCode);
    if (error === null) return { ok: true, result: parseBody(body), durationMs, statusCode };
    // The body of a client error may explain the failure to the model; the body of a server error does not.
    const isExplained = statusCode >= 400 && statusCode < 500 && body.trim() !== '';
    const details = isExplained ? { result: parseBody(body.slice(0, MAX_ERROR_BODY_CHARACTERS)) } : {};
    return { ok: false, error, ...details, durationMs, statusCode };
  }
}

function buildRequest(...parts: Parameters<typeof buildToolRequest>) {
  try {
    return buildToolRequest(...parts);
  } catch (error) {
    if (error instanceof ToolArgumentError) return error;
    throw error;
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
