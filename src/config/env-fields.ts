import { plainToInstance, Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { parseEncryptionKeys } from './encryption-keys.js';

/** A setting. Its default is the initial value of the property. */
export interface EnvField {
  /** The environment variable. */
  name: string;
  /** An accepted value, shown in the error of a wrong one. */
  example: string;
  /** For the table in docs/run/settings.md. */
  description: string;
  /** What applies without the variable, where that is not a fixed value. */
  unset?: string;
}

interface Range extends EnvField {
  min: number;
  max: number;
}

/** Every declared setting by its group and property. */
const GROUPS = new Map<object, Map<string, EnvField>>();

/** @returns the settings of a group by property */
export const envFieldsOf = (group: object): ReadonlyMap<string, EnvField> => GROUPS.get(group) ?? new Map();

/** One message per wrong variable, each naming the variable and an example. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Collects problems, so that one start shows all of them. */
export class EnvProblems {
  private readonly found: { name: string; text: string }[] = [];

  /** The value is not repeated: it may be a secret. */
  add(name: string, text: string): void {
    this.found.push({ name, text });
  }

  has(name: string): boolean {
    return this.found.some((problem) => problem.name === name);
  }

  /** @throws SettingsError when there is a problem */
  throwIfAny(): void {
    if (this.found.length === 0) return;
    const fields = [...GROUPS.values()].flatMap((group) => [...group.values()]);
    const examples = new Map(fields.map(({ name, example }) => [name, example]));
    throw new SettingsError(
      this.found.map(({ name, text }) => `${name} ${text}, for example ${name}=${examples.get(name)}`),
    );
  }
}

/**
 * Reads a group of settings. A wrong value is reported and replaced by the default, so that the rest is checked too.
 */
export function readEnv<T extends object>(
  group: new () => T,
  env: NodeJS.ProcessEnv,
  problems: EnvProblems,
): T {
  const fields = envFieldsOf(group);
  const texts = [...fields].map(([property, { name }]) => [property, env[name]?.trim()] as const);
  const given = Object.fromEntries(texts.filter(([, text]) => text));
  const read = plainToInstance(group, given, { exposeDefaultValues: true });
  const defaults = new group();
  for (const { property, constraints = {} } of validateSync(read)) {
    const [text = 'is not accepted'] = Object.values(constraints);
    problems.add(fields.get(property)?.name ?? property, text);
    Object.assign(read, { [property]: Reflect.get(defaults, property) });
  }
  return read;
}

function field(
  { name, example, description, unset }: EnvField,
  read: (text: string) => unknown,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const declare = ({ constructor: group }: object, property: string | symbol): void => {
    const fields = GROUPS.get(group) ?? new Map<string, EnvField>();
    fields.set(String(property), { name, example, description, ...(unset ? { unset } : {}) });
    GROUPS.set(group, fields);
  };
  return applyDecorators(
    declare,
    Transform(({ value }) => read(String(value))),
    IsOptional(),
    ...rules,
  );
}

export const TextEnv = (options: EnvField): PropertyDecorator => field(options, (text) => text, IsString());

export const CurrencyEnv = (options: EnvField): PropertyDecorator =>
  field(options, (text) => text, Matches(/^[A-Z]{3}$/, { message: 'must be a code of ISO 4217, e.g. EUR' }));

/** @param min characters: a short one can be guessed */
export const SecretEnv = ({ min, ...options }: EnvField & { min: number }): PropertyDecorator =>
  field(options, (text) => text, MinLength(min, { message: `must have at least ${min} characters` }));

export function IntegerEnv({ min, max, ...options }: Range): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  const read = (text: string): number => (/^-?\d+$/.test(text) ? Number(text) : NaN);
  return field(options, read, IsInt({ message }), Min(min, { message }), Max(max, { message }));
}

export function DecimalEnv({ min, max, ...options }: Range): PropertyDecorator {
  const message = `must be a number from ${min} to ${max}`;
  return field(options, Number, IsNumber({}, { message }), Min(min, { message }), Max(max, { message }));
}

export function FlagEnv(options: EnvField): PropertyDecorator {
  const read = (text: string): boolean | string => {
    if (['true', '1', 'on'].includes(text)) return true;
    return ['false', '0', 'off'].includes(text) ? false : text;
  };
  return field(options, read, IsBoolean({ message: 'must be true or false' }));
}

export function ChoiceEnv({
  values,
  ...options
}: EnvField & { values: readonly string[] }): PropertyDecorator {
  const message = `must be one of ${values.join(', ')}`;
  return field(options, (text) => text, IsIn(values, { message }));
}

/** Without a slash at its end. `schemes` as in `https:`. */
export function UrlEnv({
  schemes,
  ...options
}: EnvField & { schemes: readonly string[] }): PropertyDecorator {
  const message = `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  // Not IsUrl(): it refuses host names that resolve, for example those of containers with an underscore.
  const validate = (url: unknown): boolean =>
    typeof url === 'string' && URL.canParse(url) && schemes.includes(new URL(url).protocol);
  const rule = ValidateBy({ name: 'isUrlOfScheme', validator: { validate } }, { message });
  return field(options, (text) => text.replace(/\/+$/, ''), rule);
}

/** A path with a slash at its start and none at its end; empty for the root. */
export function PathEnv(options: EnvField): PropertyDecorator {
  const read = (text: string): string => text.replace(/^\/*/, '/').replace(/\/+$/, '');
  return field(options, read, Matches(/^(\/[\w-]+)*$/, { message: 'must be a path of plain words' }));
}

/** JSON: `{"NAME": {"base_url": "https://…", "api_key": "…"}}`. A wrong one is refused without its text. */
export function ModelEndpointsEnv(options: EnvField): PropertyDecorator {
  const message = 'must be a JSON object of endpoints with base_url and api_key';
  const validate = (endpoints: unknown): boolean => typeof endpoints === 'object';
  const rule = ValidateBy({ name: 'isModelEndpoints', validator: { validate } }, { message });
  return field(options, readEndpoints, rule);
}

function readEndpoints(text: string): Record<string, { baseUrl: string; apiKey: string }> | string {
  try {
    const given = Object.entries(JSON.parse(text) as Record<string, Record<string, unknown>>);
    const endpoints = given.map(([name, { base_url: baseUrl, api_key: apiKey }]) => {
      const isUrl = typeof baseUrl === 'string' && /^https?:/.test(new URL(baseUrl).protocol);
      if (!isUrl || typeof apiKey !== 'string' || apiKey === '') throw new Error(name);
      return [name, { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey }] as const;
    });
    return Object.fromEntries(endpoints);
  } catch {
    return '';
  }
}

/** `NAME:BASE64,…`, keys of 32 bytes. A wrong value is refused without its text. */
export function EncryptionKeysEnv(options: EnvField): PropertyDecorator {
  const message = 'must be a list of NAME:KEY with distinct names and keys of 32 bytes in base64';
  const rule = ValidateBy({ name: 'isEncryptionKeys', validator: { validate: Array.isArray } }, { message });
  return field(options, (text) => parseEncryptionKeys(text) ?? '', rule);
}

/** Separated by commas. */
export const ListEnv = (options: EnvField): PropertyDecorator => field(options, splitList, IsArray());

export function CidrListEnv(options: EnvField): PropertyDecorator {
  const validate = (list: unknown): boolean =>
    Array.isArray(list) && list.every((item) => ipaddr.isValidCIDR(String(item)));
  const message = 'must be a list of CIDR ranges';
  return field(options, splitList, ValidateBy({ name: 'isCidrList', validator: { validate } }, { message }));
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
