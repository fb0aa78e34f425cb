import { isObject } from '#src/common/validation/field-rules.js';
import type { ModelTool } from '../language-model.js';

/** What is known of the parameters of an offered tool. */
export interface ToolParameters {
  names: ReadonlySet<string>;
  /** The parameter that a single value without a name is for; null: not clear. */
  single: string | null;
}

/** The offered tools by their names. */
export type OfferedTools = ReadonlyMap<string, ToolParameters>;

export const toOfferedTools = (tools: readonly Pick<ModelTool, 'name' | 'parameters'>[]): OfferedTools =>
  new Map(tools.map(({ name, parameters }) => [name, readParameters(parameters)]));

function readParameters({ properties, required }: ModelTool['parameters']): ToolParameters {
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = Array.isArray(required) && required.length > 0 ? (required as string[]) : names;
  return { names: new Set(names), single: needed.length === 1 ? (needed[0] ?? null) : null };
}

/** Quotes, and tags of gpt-oss that its server leaves behind the name. */
const AROUND = /^["'`]+|["'`]+$|<[|｜][^]*$/g;

/** `functions.name:0`, `"name"` and `name<|channel|>commentary` become the name of a known tool; others stay unchanged. */
export function normalizeToolName(written: string, known: OfferedTools): string {
  if (known.has(written)) return written;
  const bare = written
    .replace(AROUND, '')
    .trim()
    .replace(/^(?:functions?|tools?|default_api)\./, '')
    .replace(/:\d+$/, '');
  return known.has(bare) ? bare : written;
}
