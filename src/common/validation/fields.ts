import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import {
  HasMaxUnits,
  IsFilled,
  IsPresent,
  IsUrlOf,
  IsWithin,
  Presence,
  coerceBoolean,
  coerceNumber,
  fieldMessage,
  says,
  saysSelectedInvalid,
} from './field-rules.js';

/**
 * A limit is written once: each of these declares how a value is read, what is accepted, what is said when it
 * is not, and what the OpenAPI document tells.
 */
export interface FieldOptions {
  description?: string;
  example?: unknown;
  default?: unknown;
  /** Default true. In an update DTO made by `PartialType` every field becomes optional. */
  required?: boolean;
  /** Null is a value of this field (it clears it). */
  nullable?: boolean;
}

/** Largest id that the database's integer holds. */
export const MAX_ID = 2_147_483_647;

export function field(
  options: FieldOptions,
  schema: Record<string, unknown>,
  rules: PropertyDecorator[],
  filled = false,
): PropertyDecorator {
  const { required = true, nullable = false, ...documented } = options;
  const present = required ? [filled ? IsFilled() : IsPresent(nullable)] : [];
  return applyDecorators(
    Expose(),
    // Without a type class-transformer calls what stands under the key `constructor` of a caller's object.
    Type(() => Object),
    ...Presence(required, nullable),
    ...present,
    ...rules,
    ApiProperty({ ...documented, ...schema, required, nullable } as never),
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
  const rules = [IsString({ message: says('must be a string') })];
  if (min !== undefined) rules.push(MinLength(min, { message: says(`must be at least ${min} characters`) }));
  if (max !== undefined) {
    rules.push(MaxLength(max, { message: says(`must not be greater than ${max} characters`) }));
  }
  if (maxUnits !== undefined) rules.push(HasMaxUnits(maxUnits));
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
  return field(options, schema, rules, true);
}

export interface NumberOptions extends FieldOptions {
  min: number;
  max: number;
}

export function IntegerField({ min, max, ...options }: NumberOptions) {
  const rules = [
    Transform(({ value }) => coerceNumber(value)),
    IsInt({ message: says('must be an integer') }),
    IsWithin(min, max),
  ];
  return field(options, { type: 'integer', minimum: min, maximum: max }, rules);
}

/** An id in a body or a query. */
export const IdField = (options: FieldOptions = {}) => IntegerField({ ...options, min: 1, max: MAX_ID });

export function NumberField({ min, max, ...options }: NumberOptions) {
  const rules = [
    Transform(({ value }) => coerceNumber(value)),
    IsNumber({ allowInfinity: false, allowNaN: false }, { message: says('must be a number') }),
    IsWithin(min, max),
  ];
  return field(options, { type: 'number', minimum: min, maximum: max }, rules);
}

export function BooleanField(options: FieldOptions = {}) {
  const rules = [
    Transform(({ value }) => coerceBoolean(value)),
    IsBoolean({ message: says('must be true or false') }),
  ];
  return field(options, { type: 'boolean' }, rules);
}

export function EnumField(values: readonly string[], options: FieldOptions = {}) {
  return field(options, { type: 'string', enum: values }, [IsIn(values, { message: saysSelectedInvalid })]);
}

export function UrlField(options: FieldOptions = {}) {
  return field(options, { type: 'string', format: 'uri', maxLength: 2048 }, [IsUrlOf()], true);
}

export const MAX_PHONE_LENGTH = 64;

/** A telephone number as a person writes it; whether it is one is the service's to say. */
export const PhoneField = (options: FieldOptions = {}) =>
  TextField({ example: '+15005550020', ...options, max: MAX_PHONE_LENGTH, format: 'phone' });
