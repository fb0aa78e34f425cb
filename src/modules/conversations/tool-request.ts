import type { ToolResponse } from '../tools/dto/tool.response.js';
import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { ConversationTool } from './engine/conversation-settings.js';
import type { ToolOutcome, ToolRunner } from './engine/tool-runner.js';

interface ToolHttpRequest {
  method: ToolResponse['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const PLACEHOLDER = /\{([A-Za-z_]+)\}|%7B([A-Za-z_]+)%7D/gi;

/** The message is sent to the model. */
export class ToolArgumentError extends Error {}

/**
 * What a call of a tool sends: `{param}` in the URL is filled; of the rest, GET and DELETE send a query, the
 * others a JSON object.
 *
 * @throws ToolArgumentError when a value would lead to another path than the one that the endpoint names
 */
export function toolRequest(
  { endpoint, method, headers }: Pick<ToolResponse, 'endpoint' | 'method' | 'headers'>,
  args: Record<string, unknown>,
): ToolHttpRequest {
  const left = new Map(Object.entries(args));
  const filled = endpoint.replace(PLACEHOLDER, (whole, plain?: string, encoded?: string) => {
    const name = plain ?? encoded ?? '';
    if (!Object.hasOwn(args, name)) return whole;
    left.delete(name);
    return encodeURIComponent(String(args[name]));
  });
  if (dotSegments(filled) !== dotSegments(endpoint)) {
    throw new ToolArgumentError(
      'An argument of the URL must not be or contain the path segment "." or "..".',
    );
  }
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  if (method === 'GET' || method === 'DELETE') {
    const url = new URL(filled);
    for (const [name, value] of left) url.searchParams.set(name, String(value));
    return { method, url: url.href, headers: sent };
  }
  const body = JSON.stringify(Object.fromEntries(left));
  return { method, url: filled, headers: { 'content-type': 'application/json', ...sent }, body };
}

/** Levels of encoding that are checked: more than a chain of proxy and server decodes. */
const DECODE_PASSES = 4;

/** Counts the segments `.` and `..` of the URL's path, however they are encoded and divided. */
function dotSegments(url: string): number {
  let path = url.replace(/[?#].*$/s, '');
  for (let pass = 0; pass < DECODE_PASSES; pass += 1) {
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  return path.split(/[/\\]/).filter((segment) => segment === '.' || segment === '..').length;
}

/** A longer response does not help the model. */
const MAX_RESPONSE_BYTES = 16 * 1024;
const MAX_REFUSAL_CHARACTERS = 2_000;

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
    const result = await this.http.request({
      ...request,
      span: { name: 'tool', attributes: { 'tool.id': tool.id } },
      timeoutMs: definition.timeout * 1000,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    const { durationMs } = result;
    if (!result.ok) return { ok: false, error: result.message, durationMs, statusCode: null };
    const { statusCode, body } = result;
    if (result.unreadable) return { ok: false, error: body, durationMs, statusCode };
    if (statusCode >= 200 && statusCode < 300)
      return { ok: true, result: readAnswer(body), durationMs, statusCode };
    const error = `The tool answered with status ${statusCode}.`;
    // A refusal says what would be accepted; the body of a server error says nothing that helps on a call.
    const refused = statusCode >= 400 && statusCode < 500 && body.trim() !== '';
    const answer = refused ? { result: readAnswer(body.slice(0, MAX_REFUSAL_CHARACTERS)) } : {};
    return { ok: false, error, ...answer, durationMs, statusCode };
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
