import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray } from 'class-validator';
import type { FieldErrors } from '#src/common/errors/api-error.js';
import { isEmptyValue } from '#src/http/ignored-fields.js';
import type { ParsedNumber } from '#src/common/phone/phone.js';
import { NUMBER_RULES, type NumberFault } from '#src/common/phone/written-number.js';
import { isObject } from '#src/common/validation/field-rules.js';
import { fieldMessage, requiredMessage, fieldRuleMessage } from '#src/common/validation/field-rules.js';
import { MAX_PHONE_LENGTH } from '#src/common/phone/written-number.js';
import { createField, type FieldOptions } from '#src/common/validation/fields.js';
import {
  BUILT_IN_TOOLS,
  type BuiltInTool,
  type BuiltInToolType,
  type TransferNumber,
} from './assistant.types.js';

/** An assistant's tools as answers show them, and as many built-in ones. */
const MAX_ITEMS = 150;
const MAX_TRANSFERS = 20;
const MAX_DESCRIPTION = 500;

/** What published clients send with a `call_transfer` besides, and this service does not do. */
const IGNORED_OF_TRANSFERS = ['custom', 'timezone', 'warm_transfer', 'warm_transfer_message'];

type Fields = Record<string, unknown>;

export function BuiltInToolsField(options: FieldOptions): PropertyDecorator {
  const rules = [
    // Untouched: items of kinds that are unknown here are taken too.
    Transform(({ value, obj, key }: { value: unknown; obj: Fields; key: string }) =>
      value === undefined || value === null ? value : obj[key],
    ),
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(MAX_ITEMS, { message: fieldRuleMessage(`must not have more than ${MAX_ITEMS} items`) }),
  ];
  const description =
    'Built-in tools, each `{type, …}` or `{type, data: {…}}`: `end_call` (`description`), `call_transfer` ' +
    '(`phone_number`, `description`), `dtmf_input`. They replace the stored ones, `[]` removes them, null keeps ' +
    'them; other types are ignored and named in `X-Ignored-Fields` (`tools.1`), and mid call tools change nothing here: ' +
    '`tool_ids` attaches and detaches them.';
  const items = { type: 'object', additionalProperties: true };
  return createField({ description, ...options }, { type: 'array', items, maxItems: MAX_ITEMS }, rules);
}

/** An item of `tools`; the type is null where this service has none such. */
function readItem(item: unknown): { type: BuiltInToolType | null; isMidCallTool: boolean; fields: Fields } {
  if (!isObject(item)) return { type: null, isMidCallTool: false, fields: {} };
  const type = BUILT_IN_TOOLS.find((known) => known === item.type) ?? null;
  const isMidCallTool = item.type === undefined && Number.isInteger(item.id);
  return { type, isMidCallTool, fields: isObject(item.data) ? { ...item, ...item.data } : item };
}

/** Paths of the items, and of fields of items, that this service does not have: `tools.1`, `tools.2.timezone`. */
export function ignoredToolParts(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.slice(0, MAX_ITEMS).flatMap((item: unknown, index) => {
    const { type, isMidCallTool, fields } = readItem(item);
    if (isMidCallTool || isEmptyValue(item)) return [];
    if (type === null) return [`tools.${index}`];
    if (type !== 'call_transfer') return [];
    return IGNORED_OF_TRANSFERS.filter((name) => !isEmptyValue(fields[name])).map(
      (name) => `tools.${index}.${name}`,
    );
  });
}

/**
 * The built-in tools of a request's `tools`, each but `call_transfer` at most once.
 *
 * @param readNumber E.164 of a written number, or its fault
 */
export async function readBuiltInTools(
  tools: readonly unknown[],
  readNumber: (input: string) => Promise<ParsedNumber>,
): Promise<{ builtIn: BuiltInTool[]; errors: FieldErrors }> {
  const builtIn: BuiltInTool[] = [];
  const errors: FieldErrors = {};
  const transfers = () => builtIn.filter(({ type }) => type === 'call_transfer').length;
  for (const [index, item] of tools.entries()) {
    const { type, fields } = readItem(item);
    if (type === null || (type !== 'call_transfer' && builtIn.some((known) => known.type === type))) continue;
    const data: BuiltInTool['data'] = {};
    const { phone_number: number, description } = fields;
    if (type === 'call_transfer') {
      const read: ParsedNumber =
        typeof number === 'string' && number.length <= MAX_PHONE_LENGTH
          ? await readNumber(number)
          : { fault: 'impossible' };
      if ('number' in read) data.phone_number = read.number;
      else errors[`tools.${index}.phone_number`] = [phoneMessage(number, read.fault)];
      if (transfers() === MAX_TRANSFERS) {
        errors.tools = [
          fieldMessage('tools', `must not have more than ${MAX_TRANSFERS} items of call_transfer`),
        ];
        break;
      }
    }
    if (type !== 'dtmf_input' && !isEmptyValue(description)) {
      const problem = textProblem(description);
      if (problem) errors[`tools.${index}.description`] = [fieldMessage('description', problem)];
      else data.description = String(description);
    }
    builtIn.push({ type, data });
  }
  return { builtIn, errors };
}

const phoneMessage = (number: unknown, fault: NumberFault): string =>
  number === undefined || number === null || number === ''
    ? requiredMessage('phone_number')
    : fieldMessage('phone_number', NUMBER_RULES[fault]);

function textProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  return value.length > MAX_DESCRIPTION ? `must not be greater than ${MAX_DESCRIPTION} characters` : null;
}

/** Transfer targets of built-in tools; the model gets their numbers as names. */
export const transferNumbersOf = (tools: readonly BuiltInTool[]): TransferNumber[] =>
  tools.flatMap(({ data: { phone_number: number, description = '' } }) =>
    number === undefined ? [] : [{ name: number, phone_number: number, description }],
  );

/** The condition for ending the call, from a built-in tool. */
export const endCallDescriptionOf = (tools: readonly BuiltInTool[]): string | null =>
  tools.find(({ type }) => type === 'end_call')?.data.description ?? null;
