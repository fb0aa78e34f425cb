import type { AccountResources } from '../../../test/support/route.types.js';
import type { Endpoint } from '../support/api-surface.js';
import type { Recipe } from './recipe.js';
import { bodyOf } from './request-bodies.js';
import { isFixed } from './verify-cost.js';

export const MAX_REQUEST_BYTES = 64 * 1024;
/** Node refuses longer heads. */
const MAX_HEAD_BYTES = 15 * 1024;

const CONTENT_TYPES: Record<Recipe['type'], string | null> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=b',
  xml: 'application/xml',
  text: 'text/plain',
  none: null,
};

/**
 * The bytes of a recipe's request: at most 64 KiB, with the minimum of headers that HTTP/1.1 allows. Fixed documents
 * are requested as browsers do: the cost of megabytes without compression is the kernel's.
 */
export function buildRequest(recipe: Recipe, endpoint: Endpoint, resources: AccountResources): Buffer {
  const type = CONTENT_TYPES[recipe.type];
  const fixed = [
    'Host: a',
    'Connection: close',
    ...authorization(recipe, resources),
    ...(endpoint.path.startsWith('/telephony') ? ['X-Twilio-Signature: AAAAAAAAAAAAAAAAAAAAAAAAAAA='] : []),
    ...(isFixed(recipe.route) ? ['Accept-Encoding: gzip, deflate, br'] : []),
    ...(type === null ? [] : [`Content-Type: ${type}`]),
  ];
  const line = `${endpoint.method} ${targetOf(recipe, endpoint, resources)} HTTP/1.1`;
  const lines = [line, ...fixed, ...hostileHeaders(recipe)];
  const headBytes = Buffer.byteLength(lines.join('\r\n')) + 32;
  const body =
    type === null ? Buffer.alloc(0) : bodyOf(recipe, endpoint, resources, MAX_REQUEST_BYTES - headBytes);
  if (body.length > 0) lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function authorization({ token }: Recipe, resources: AccountResources): string[] {
  if (token === 'none') return [];
  const text = token === 'valid' ? resources.account.token : resources.account.token.replaceAll(/\d/g, '0');
  return [`Authorization: Bearer ${text}`];
}

function targetOf(recipe: Recipe, endpoint: Endpoint, resources: AccountResources): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (recipe.shape === 'path') return repeat(encode(recipe.value), recipe.count, MAX_HEAD_BYTES);
    return name === 'id' ? String(endpoint.id(resources)) : 'a';
  });
  if (recipe.shape === 'path' && path === endpoint.path) {
    return `${path}/${repeat(encode(recipe.value), recipe.count, MAX_HEAD_BYTES)}`;
  }
  if (recipe.shape !== 'query') return path;
  const name = endpoint.query[recipe.field % Math.max(1, endpoint.query.length)] ?? 'a';
  const value = repeat(encode(recipe.value), recipe.length, MAX_HEAD_BYTES / 2);
  return `${path}?${repeat(`${name}=${value}&`, recipe.count, MAX_HEAD_BYTES)}`;
}

function hostileHeaders(recipe: Recipe): string[] {
  const text = encode(recipe.value);
  if (recipe.shape === 'accept') {
    const names = [
      'Accept',
      'Accept-Language',
      'Accept-Encoding',
      'X-Forwarded-For',
      'Cookie',
      'Range',
      'Origin',
    ];
    const name = names[recipe.field % names.length] ?? 'Accept';
    return [`${name}: ${repeat(text, recipe.count, MAX_HEAD_BYTES)}`];
  }
  if (recipe.shape !== 'headers') return [];
  const one = (index: number): string => `X-${index}: ${repeat(text, recipe.length, MAX_HEAD_BYTES / 2)}`;
  const headers: string[] = [];
  for (let left = MAX_HEAD_BYTES, index = 0; index < Math.min(recipe.count, 1_000); index++) {
    left -= one(index).length + 2;
    if (left < 0) break;
    headers.push(one(index));
  }
  return headers;
}

/** For a request line or header: percent-encodes all but visible ASCII. */
const encode = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));

export const repeat = (text: string, count: number, maxBytes: number): string =>
  text.repeat(Math.max(0, Math.min(count, Math.floor(maxBytes / Math.max(1, Buffer.byteLength(text))))));
