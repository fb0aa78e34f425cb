import type { AccountResources } from '../../../test/support/route.types.js';
import type { Endpoint } from '../support/api-surface.js';
import type { Recipe } from './recipe.js';

type Parts = Pick<Recipe, 'value' | 'count' | 'length' | 'shape'>;

/** The body of a recipe, at most `maxBytes`. */
export function bodyOf(
  recipe: Recipe,
  endpoint: Endpoint,
  resources: AccountResources,
  maxBytes: number,
): Buffer {
  return Buffer.from(textOf(recipe, endpoint, resources, maxBytes)).subarray(0, maxBytes);
}

function textOf(recipe: Recipe, endpoint: Endpoint, resources: AccountResources, maxBytes: number): string {
  switch (recipe.type) {
    case 'json':
      return jsonOf(recipe, endpoint, resources, maxBytes);
    case 'form':
      return formOf(recipe, maxBytes);
    case 'multipart':
      return multipartOf(recipe, resources, maxBytes);
    default:
      return fill(recipe, maxBytes, () => recipe.value);
  }
}

function jsonOf(recipe: Recipe, endpoint: Endpoint, resources: AccountResources, maxBytes: number): string {
  const valid = endpoint.body(resources);
  const name = endpoint.fields[recipe.field % Math.max(1, endpoint.fields.length)] ?? 'a';
  const inField = (text: string): string =>
    JSON.stringify({ ...valid, [name]: '@' }).replace(
      `${JSON.stringify(name)}:"@"`,
      () => `"${name}":${text}`,
    );
  const left = maxBytes - JSON.stringify(valid).length - name.length - 16;
  const text = JSON.stringify(recipe.value.repeat(Math.min(recipe.length, Math.floor(left / 12))));
  switch (recipe.shape) {
    case 'valid':
      return JSON.stringify(valid);
    case 'field':
      return inField(JSON.stringify(`${'a'.repeat(recipe.field % 2)}${longText(recipe, left)}!`));
    case 'field-list':
      return inField(`[${joined(recipe, left, () => text)}]`);
    case 'field-objects':
      return inField(`[${joined(recipe, left, () => `{"name":${text},"type":"string"}`)}]`);
    case 'field-keys':
      return inField(`{${joined(recipe, left, (index) => `"${index}":${text}`)}}`);
    case 'wide':
      return `{${joined(recipe, maxBytes - 2, (index) => `"${index}":${text}`)}}`;
    case 'repeated':
      return `{${joined(recipe, maxBytes - 2, () => `"a":${text}`)}}`;
    case 'deep':
      return `${'{"a":'.repeat(depth(recipe, maxBytes, 6))}1${'}'.repeat(depth(recipe, maxBytes, 6))}`;
    case 'deep-list':
      return `{"a":${'['.repeat(depth(recipe, maxBytes, 2))}${']'.repeat(depth(recipe, maxBytes, 2))}}`;
    case 'list-under-long-key': {
      const key = 'k'.repeat(Math.floor(maxBytes / 2));
      return `{"${key}":[${joined(recipe, maxBytes / 2 - 8, () => text)}]}`;
    }
    default:
      return fill(recipe, maxBytes, () => recipe.value);
  }
}

function formOf(recipe: Recipe, maxBytes: number): string {
  const value = recipe.value.repeat(Math.min(recipe.length, 1_000));
  switch (recipe.shape) {
    case 'wide':
      return fill(recipe, maxBytes, (index) => `k${index}=${value}&`);
    case 'deep':
      return `a${fill(recipe, maxBytes - 4, () => '[a]')}=1`;
    case 'field':
      return `CallSid=${longText(recipe, maxBytes - 16)}`;
    case 'flat':
      return fill(recipe, maxBytes, () => recipe.value);
    default:
      return fill(recipe, maxBytes, () => `a=${value}&`);
  }
}

function multipartOf(recipe: Recipe, resources: AccountResources, maxBytes: number): string {
  const part = (head: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const campaign = part('name="campaign_id"', String(resources.ids.campaign));
  const file = (content: string): string =>
    `${campaign}${part('name="file"; filename="a.csv"\r\nContent-Type: text/csv', content)}--b--\r\n`;
  const inside = maxBytes - file('').length - 16;
  const value = recipe.value.repeat(Math.min(recipe.length, 1_000));
  switch (recipe.shape) {
    case 'wide':
      return `${fill(recipe, maxBytes - 8, (index) => part(`name="${index}"`, value))}--b--\r\n`;
    case 'repeated':
      return `${fill(recipe, maxBytes - 8, () => part('name="a"', value))}--b--\r\n`;
    case 'deep':
      return part(`name="${longText(recipe, maxBytes - 80)}"`, 'a');
    case 'csv-columns': {
      const columns = fill(recipe, inside / 2, (index) => `,${value}${index}`);
      return file(`phone_number${columns}\n${fill(recipe, inside / 2, () => `+14155552671${value}\n`)}`);
    }
    case 'csv-lines':
      return file(`phone_number,${value}\n${fill(recipe, inside - value.length - 16, () => recipe.value)}`);
    case 'flat':
      return fill(recipe, maxBytes, () => recipe.value);
    default:
      return file(`phone_number\n${fill(recipe, inside, () => `${value}\n`)}`);
  }
}

const depth = ({ count }: Parts, maxBytes: number, size: number): number =>
  Math.max(0, Math.min(count, Math.floor((maxBytes - 16) / size)));

function longText({ value, count }: Parts, maxBytes: number): string {
  const size = JSON.stringify(value).length - 2;
  return value.repeat(Math.max(0, Math.min(count, Math.floor((maxBytes - 8) / size))));
}

/** At most `count` elements that fit into `maxBytes`. */
function elements({ count }: Parts, maxBytes: number, element: (index: number) => string): string[] {
  const list: string[] = [];
  for (let left = maxBytes, index = 0; index < count; index++) {
    const text = element(index);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0 || text === '') break;
    list.push(text);
  }
  return list;
}

const joined = (parts: Parts, maxBytes: number, element: (index: number) => string): string =>
  elements(parts, maxBytes, element).join(',');

const fill = (parts: Parts, maxBytes: number, element: (index: number) => string): string =>
  elements(parts, maxBytes, element).join('');
