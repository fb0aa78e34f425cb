import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { MAX_URL_LENGTH } from '../outbound-http/check-url.js';
import { MAX_PHONE_LENGTH } from '../phone/written-number.js';
import {
  HasMaxUtf16Units,
  IsFilled,
  IsPresent,
  IsOutboundUrl,
  IsWithin,
  ValidateWhenPresent,
  coerceBoolean,
  coerceNumber,
  emptyToUndefined,
  emptyToNull,
  emptyAliasToUndefined,
  emptyTextToUndefined,
  fieldMessage,
  fieldRuleMessage,
  selectedInvalidRuleMessage,
} from './field-rules.js';
import { UUID } from './uuid.js';

/**
 * A limit is written once: each of these declares how a value is read, which values are accepted, the error message,
 * and the schema in the OpenAPI document.
 */
export interface FieldOptions {
  description?: string;
  example?: unknown;
  default?: unknown;
  /**
   * Whether creation requires it; default true. An update (`UpdateType`) requires none. The empty text is refused
   * where creation requires the field; elsewhere it is null, or absent where null is no value.
   */
  required?: boolean;
  /** Null is a value of this field (it clears it). Elsewhere null is as if absent, and refused by an update. */
  nullable?: boolean;
  /** Fields of which one may be given instead of a required one, which is then absent, null or blank. */
  otherNames?: readonly string[];
  /** An empty text and null are checked like any other value. */
  checksEmpty?: boolean;
}

/** Largest id that the database's integer holds. */
export const MAX_ID = 2_147_483_647;

export function createField(
  options: FieldOptions,
  schema: Record<string, unknown>,
  rules: PropertyDecorator[],
  filled = false,
): PropertyDecorator {
  return (target, name) => {
    declareField({ options, schema, rules, filled }, false)(target, name);
    const fields: Fields = { ...dtoFieldsOf(target), [name]: { options, schema, rules, filled } };
    Reflect.defineMetadata(FIELDS, fields, target);
  };
}

const FIELDS = 'validation:fields';

interface Field {
  options: FieldOptions;
  schema: Record<string, unknown>;
  rules: PropertyDecorator[];
  filled: boolean;
}

type Fields = Record<string | symbol, Field>;

/** The fields of a DTO class and of the classes that it extends. */
export const dtoFieldsOf = (prototype: object): Fields =>
  (Reflect.getMetadata(FIELDS, prototype) ?? {}) as Fields;

/** @param isUpdate an absent field keeps the stored value, and null is refused where it is no value */
export function declareField(
  { options, schema, rules, filled }: Field,
  isUpdate: boolean,
): PropertyDecorator {
  const {
    required = true,
    nullable = false,
    otherNames = [],
    checksEmpty = required,
    ...documented
  } = options;
  const isRequired = required && !isUpdate;
  const present = required ? [filled ? IsFilled() : IsPresent(nullable)] : [];
  const empty = nullable ? emptyToNull : isUpdate ? emptyTextToUndefined : emptyToUndefined;
  return applyDecorators(
    Expose(),
    // Without a type class-transformer calls the value of the key `constructor` of a client's object.
    Type(() => Object),
    ...ValidateWhenPresent(isRequired, nullable, otherNames),
    ...present,
    ...rules,
    // The last decorator reads the value first.
    ...(checksEmpty ? [] : [Transform(empty)]),
    ...(otherNames.length > 0 ? [Transform(emptyAliasToUndefined(otherNames))] : []),
    ApiProperty({
      ...documented,
      ...schema,
      required: isRequired,
      nullable: nullable || (!checksEmpty && !isUpdate),
    } as never),
  );
}

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** A limit in UTF-16 units instead of characters: an emoji is two. */
  maxUnits?: number;
  pattern?: RegExp;
  patternMessage?: string;
  format?: string;
}

export function TextField({
  min,
  max,
  maxUnits,
  pattern,
  patternMessage,
  format,
  ...options
}: TextOptions = {}) {
  const rules = [IsString({ message: fieldRuleMessage('must be a string') })];
  if (min !== undefined)
    rules.push(MinLength(min, { message: fieldRuleMessage(`must be at least ${min} characters`) }));
  if (max !== undefined) {
    rules.push(MaxLength(max, { message: fieldRuleMessage(`must not be greater than ${max} characters`) }));
  }
  if (maxUnits !== undefined) rules.push(HasMaxUtf16Units(maxUnits));
  if (pattern) {
    const message =
      patternMessage ?? ((args: { property: string }) => fieldMessage(args.property, 'format is invalid'));
    rules.push(Matches(pattern, { message }));
  }
  const schema = {
    type: 'string',
    minLength: min,
    maxLength: max ?? maxUnits,
    pattern: pattern?.source,
    format,
  };
  return createField(options, schema, rules, true);
}

export interface NumberOptions extends FieldOptions {
  min: number;
  max: number;
}

export function IntegerField({ min, max, ...options }: NumberOptions) {
  const rules = [
    Transform(({ value }) => coerceNumber(value)),
    IsInt({ message: fieldRuleMessage('must be an integer') }),
    IsWithin(min, max),
  ];
  return createField(options, { type: 'integer', minimum: min, maximum: max }, rules);
}

export const isId = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID;

/** An id in a body or a query. */
export const IdField = (options: FieldOptions = {}) => IntegerField({ ...options, min: 1, max: MAX_ID });

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const asIdOrUuid = (value: unknown): unknown => (isUuid(value) ? value.toLowerCase() : coerceNumber(value));

const isIdOrUuid = (value: unknown): value is number | string => isUuid(value) || isId(value);

/** What `IdOrUuidField` takes, before a body is validated; null: it is neither. */
export function readIdOrUuid(given: unknown): number | string | null {
  const value = asIdOrUuid(given);
  return isIdOrUuid(value) ? value : null;
}

/** An id, or the uuid of the same resource, kept in lower case. */
export function IdOrUuidField(options: FieldOptions = {}) {
  const rules = [
    Transform(({ value }) => asIdOrUuid(value)),
    ValidateBy({
      name: 'isIdOrUuid',
      validator: {
        validate: isIdOrUuid,
        defaultMessage: (args) =>
          fieldRuleMessage('must be an integer or a UUID')(args as ValidationArguments),
      },
    }),
  ];
  const forms = [
    { type: 'integer', minimum: 1, maximum: MAX_ID },
    { type: 'string', format: 'uuid' },
  ];
  return createField(options, { oneOf: forms }, rules);
}

export function NumberField({ min, max, ...options }: NumberOptions) {
  const rules = [
    Transform(({ value }) => coerceNumber(value)),
    IsNumber({ allowInfinity: false, allowNaN: false }, { message: fieldRuleMessage('must be a number') }),
    IsWithin(min, max),
  ];
  return createField(options, { type: 'number', minimum: min, maximum: max }, rules);
}

export function BooleanField(options: FieldOptions = {}) {
  const rules = [
    Transform(({ value }) => coerceBoolean(value)),
    IsBoolean({ message: fieldRuleMessage('must be true or false') }),
  ];
  return createField(options, { type: 'boolean' }, rules);
}

export function EnumField(values: readonly string[], options: FieldOptions = {}) {
  return createField(options, { type: 'string', enum: values }, [
    IsIn(values, { message: selectedInvalidRuleMessage }),
  ]);
}

export function UrlField(options: FieldOptions = {}) {
  return createField(
    options,
    { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH },
    [IsOutboundUrl()],
    true,
  );
}

/** Description of a filter by phone number. */
export const NUMBER_FILTER_DESCRIPTION =
  'matched in its E.164 form, fewer than seven digits as a part of a number.';

/** A telephone number as a person writes it; the service validates it, because the rules depend on the account. */
export const PhoneField = (options: FieldOptions = {}) =>
  TextField({ example: '+15005550020', ...options, max: MAX_PHONE_LENGTH, format: 'phone' });
