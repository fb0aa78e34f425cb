import type { OutboundRequest } from '#src/common/outbound-http/outbound-exchange.js';
import type { ToolResponse } from './dto/tool.response.js';

export interface ToolHttpRequest {
  method: ToolResponse['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const PLACEHOLDER = /\{([A-Za-z_]+)\}|%7B([A-Za-z_]+)%7D/gi;

/** The message is sent to the model. */
export class ToolArgumentError extends Error {}

/**
 * Builds the request of a tool call: `{param}` in the URL is filled; of the rest, GET and DELETE send a query, the
 * others a JSON object.
 *
 * @throws ToolArgumentError when a value would change the path of the endpoint
 */
export function buildToolRequest(
  { endpoint, method, headers }: Pick<ToolResponse, 'endpoint' | 'method' | 'headers'>,
  args: Record<string, unknown>,
): ToolHttpRequest {
  const left = new Map(Object.entries(args));
  const filled = endpoint.replace(PLACEHOLDER, (whole, plain?: string, encoded?: string) => {
    const name = plain ?? encoded ?? '';
    if (!Object.hasOwn(args, name)) return whole;
    left.delete(name);
    return encodeURIComponent(urlText(args[name]));
  });
  if (dotSegments(filled) !== dotSegments(endpoint)) {
    throw new ToolArgumentError(
      'An argument of the URL must not be or contain the path segment "." or "..".',
    );
  }
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  if (method === 'GET' || method === 'DELETE') {
    const url = new URL(filled);
    for (const [name, value] of left) url.searchParams.set(name, urlText(value));
    return { method, url: url.href, headers: sent };
  }
  const body = JSON.stringify(Object.fromEntries(left));
  return { method, url: filled, headers: { 'content-type': 'application/json', ...sent }, body };
}

/**
 * Values of a list are separated by commas, an object is sent as JSON. URLs have no half of a surrogate pair: it
 * becomes U+FFFD.
 */
function urlText(value: unknown): string {
  if (Array.isArray(value)) return value.map(urlText).join(',');
  const isObject = typeof value === 'object' && value !== null;
  return (isObject ? JSON.stringify(value) : String(value)).toWellFormed();
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

/** What holds for the exchange with a tool's endpoint, in calls as in tests. */
export const toolRequestOptions = ({
  id,
  timeout,
}: Pick<ToolResponse, 'id' | 'timeout'>): Pick<
  OutboundRequest,
  'span' | 'timeoutMs' | 'maxResponseBytes'
> => ({
  span: { name: 'tool', attributes: { 'tool.id': id } },
  timeoutMs: timeout * 1000,
  maxResponseBytes: MAX_RESPONSE_BYTES,
});

/** Why a response with this status is a failure; null: it is none. */
export const statusFailure = (statusCode: number): string | null =>
  statusCode >= 200 && statusCode < 300 ? null : `The tool answered with status ${statusCode}.`;
