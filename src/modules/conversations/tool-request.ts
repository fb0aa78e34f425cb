import type { ToolResponse } from '../tools/dto/tool.response.js';

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
