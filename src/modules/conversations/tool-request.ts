import type { ToolResponse } from '../tools/dto/tool.response.js';
import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { ConversationTool } from './engine/conversation-settings.js';
import type { ToolOutcome, ToolRunner } from './engine/tool-round.js';

interface ToolHttpRequest {
  method: ToolResponse['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * What a call of a tool sends: `{param}` in the URL is filled; of the rest, GET and DELETE send a query, the
 * others a JSON object.
 */
export function toolRequest(
  { endpoint, method, headers }: Pick<ToolResponse, 'endpoint' | 'method' | 'headers'>,
  args: Record<string, unknown>,
): ToolHttpRequest {
  const left = new Map(Object.entries(args));
  const filled = endpoint.replace(
    /\{([A-Za-z_]+)\}|%7B([A-Za-z_]+)%7D/gi,
    (whole, plain?: string, encoded?: string) => {
      const name = plain ?? encoded ?? '';
      if (!Object.hasOwn(args, name)) return whole;
      left.delete(name);
      return encodeURIComponent(String(args[name]));
    },
  );
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  if (method === 'GET' || method === 'DELETE') {
    const url = new URL(filled);
    for (const [name, value] of left) url.searchParams.set(name, String(value));
    return { method, url: url.href, headers: sent };
  }
  const body = JSON.stringify(Object.fromEntries(left));
  return { method, url: filled, headers: { 'content-type': 'application/json', ...sent }, body };
}

/** More would only be cut out of the model's attention again. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Calls the endpoints of an assistant's tools, under the rules for URLs that users named. */
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
    const result = await this.http.request({
      ...toolRequest(definition, args),
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

function readAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
