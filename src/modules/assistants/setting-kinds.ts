import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  NumberField,
  TextField,
  type FieldOptions,
} from '#src/common/validation/fields.js';
import type { Catalog } from '../catalog/catalog.js';
import type { SpeechKind } from '../catalog/catalog.types.js';
import type { Assistant } from './entities/assistant.entity.js';

type Property = keyof Assistant;
type PropertyOf<T> = { [P in Property]: Assistant[P] extends T ? P : never }[Property];

/**
 * How one setting is read from requests, stored and shown. `Input` is its type in a request, `never` where requests
 * do not set it; `Default` is undefined where creation requires the setting.
 */
export interface Setting<Input = unknown, Default = unknown> {
  property: Property;
  default?: Default;
  /** The field in the body of a creation; null: not accepted there. */
  create: PropertyDecorator | null;
  /** The field in the body of an update; null: the one of `create`, optional. */
  update: PropertyDecorator | null;
  /** The stored value; undefined: the request says nothing. Without it the value is stored as it came. */
  read?(value: Input): unknown;
  /** Instead of `read`, for what names a part of the catalogue; undefined: it has no such part. */
  find?(value: Input, catalog: Catalog): unknown;
  /** Name in answers; undefined: as in requests, null: not shown. */
  response?: string | null;
  /** What requests may use besides: the names that answers have for it. */
  otherNames: OtherName[];
  /** Of the shown value. */
  schema: ApiPropertyOptions;
  /** The shown value. Without it the value is shown as it is stored. */
  render?(value: unknown, context: ShownWith): unknown;
}

/** Another name of a setting in requests. */
interface OtherName extends Pick<Setting, 'read' | 'find'> {
  name: string;
  /** Whether answers also write the value as requests do. */
  isAlike: boolean;
  /** @param requestName the name that the specification has for requests */
  declare(requestName: string): PropertyDecorator;
}

/** How a request's value is read under a name of answers; what is not given is as for the setting's own name. */
interface Answered extends Pick<Setting, 'read' | 'find'> {
  field?: (options: FieldOptions) => PropertyDecorator;
}

/** What a shown value can depend on besides the stored one. */
export interface ShownWith {
  assistant: Assistant;
  catalog: Catalog;
  /** Of the installation. */
  ringTimeoutSeconds: number;
}

type InputOf<S> = S extends Setting<infer Input, unknown> ? Input : never;
type SettableIn<Table> = {
  [Name in keyof Table]: [InputOf<Table[Name]>] extends [never] ? never : Name;
}[keyof Table];
type RequiredIn<Table> = {
  [Name in SettableIn<Table>]: Table[Name] extends Setting<infer _, infer Default>
    ? undefined extends Default
      ? Name
      : never
    : never;
}[SettableIn<Table>];

/** Body of a creation. */
export type CreationOf<Table> = { [Name in RequiredIn<Table>]: NonNullable<InputOf<Table[Name]>> } & {
  [Name in Exclude<SettableIn<Table>, RequiredIn<Table>>]?: NonNullable<InputOf<Table[Name]>>;
};

/** Body of an update. */
export type UpdateOf<Table> = { [Name in SettableIn<Table>]?: InputOf<Table[Name]> };

interface Shown<P extends Property, Default> {
  /** Of a new assistant. Without it creation requires the setting. */
  default?: Default & Assistant[P];
  response?: string | null;
  /** Nullable where the default is null, unless it says otherwise. */
  schema?: ApiPropertyOptions;
  render?: (value: Assistant[P], context: ShownWith) => unknown;
}

interface Options<P extends Property, Default, Input> extends Shown<P, Default> {
  description?: string;
  example?: unknown;
  /** The default as a request writes it, where that is not how it is stored. */
  requestDefault?: Input;
  /** Null clears the value, at creation as in an update. */
  nullable?: true;
  /** Null: only updates set it. */
  create?: null;
  /** Where an update has another field than `create`: `nullable` where null clears the value, its own description. */
  update?: FieldOptions;
  read?: (value: Input) => Assistant[P] | undefined;
  find?: (value: Input, catalog: Catalog) => Assistant[P] | undefined;
  /** By the name in answers. Default: `response`, read like the setting itself. */
  answered?: Record<string, Answered>;
}

/** A setting of any type; `field` validates it. */
export function setting<P extends Property, Default = undefined, Input = Assistant[P]>(
  property: P,
  field: (options: FieldOptions) => PropertyDecorator,
  {
    description,
    example,
    requestDefault,
    nullable,
    create,
    update,
    read,
    find,
    answered,
    ...options
  }: Options<P, Default, Input>,
): Setting<Input, Default> {
  const required = options.default === undefined;
  const own = { field, read, find } as Required<Answered>;
  const names = Object.entries(answered ?? (options.response ? { [options.response]: {} } : {}));
  const documented = {
    description,
    example,
    required,
    nullable,
    default: requestDefault ?? options.default ?? undefined,
  };
  return {
    ...shown<P, Default>(property, options),
    create: create === null ? null : field({ ...documented, otherNames: names.map(([name]) => name) }),
    otherNames: names.map(([name, other]) => toOtherName(name, own, other)),
    update: update ? field({ description, ...update, required: false }) : null,
    read,
    find,
  };
}

/** A setting that answers show and requests do not set. */
export function shown<P extends Property, Default = undefined>(
  property: P,
  { schema = {}, ...options }: Shown<P, Default>,
): Setting<never, Default> {
  const { nullable = options.default === null, ...rest } = schema;
  const described = (nullable ? { ...rest, nullable } : rest) as ApiPropertyOptions;
  return { ...options, property, schema: described, create: null, update: null, otherNames: [] };
}

const toOtherName = (name: string, own: Required<Answered>, other: Answered): OtherName => {
  const { field, read, find } = { ...own, ...other };
  const declare = (requestName: string): PropertyDecorator =>
    field({ required: false, description: `The same as \`${requestName}\`, as answers name and write it.` });
  return { name, isAlike: Object.keys(other).length === 0, declare, read, find };
};

/** For a name of answers under which requests give the stored value. */
export const asStored = (value: unknown): unknown => value;

/** Null where the model is none of these: the other names tell which it is. */
export const MULTIMODAL_MODEL_ID: Answered = {
  field: (options) => IdField({ ...options, nullable: true }),
  find: (id, catalog) => (id === null ? null : catalog.multimodalModel(Number(id))?.id),
};

/** A flag that answers show as a number. */
export const AS_0_OR_1 = {
  schema: { type: 'integer', enum: [0, 1], description: '1 = yes, 0 = no.' },
  render: (value: boolean) => (value ? 1 : 0),
} as const;

export const text = <P extends PropertyOf<string | null>, Default = undefined>(
  property: P,
  { max, ...options }: Options<P, Default, Assistant[P]> & { max: number },
) =>
  setting<P, Default>(property, (field) => TextField({ ...field, max }), {
    schema: { type: 'string' },
    ...options,
  });

export const choice = <P extends PropertyOf<string>, Default = undefined>(
  property: P,
  values: readonly (Assistant[P] & string)[],
  options: Options<P, Default, Assistant[P]> = {},
) =>
  setting<P, Default>(property, (field) => EnumField(values, field), {
    schema: { type: 'string', enum: [...values] },
    ...options,
  });

export const flag = <P extends PropertyOf<boolean>, Default = undefined>(
  property: P,
  options: Options<P, Default, Assistant[P]>,
) => setting<P, Default>(property, BooleanField, { schema: { type: 'boolean' }, ...options });

type Limits = { min: number; max: number };

export const integer = <P extends PropertyOf<number | null>, Default = undefined>(
  property: P,
  { min, max, ...options }: Options<P, Default, Assistant[P]> & Limits,
) =>
  setting<P, Default>(property, (field) => IntegerField({ ...field, min, max }), {
    schema: { type: 'integer' },
    ...options,
  });

export const seconds = <P extends PropertyOf<number | null>, Default = undefined>(
  property: P,
  options: Options<P, Default, Assistant[P]> & Limits,
) =>
  integer<P, Default>(property, {
    description: 'Seconds.',
    schema: { type: 'integer', description: 'Seconds.' },
    ...options,
  });

export const number = <P extends PropertyOf<number>, Default = undefined>(
  property: P,
  { min, max, ...options }: Options<P, Default, Assistant[P]> & Limits,
) =>
  setting<P, Default>(property, (field) => NumberField({ ...field, min, max }), {
    schema: { type: 'number', description: options.description },
    ...options,
  });

/** Shown as text with two decimals. */
export const decimal = <P extends PropertyOf<number>, Default = undefined>(
  property: P,
  options: Options<P, Default, Assistant[P]> & Limits,
) =>
  number<P, Default>(property, {
    schema: { type: 'string', description: 'A number with two decimals.', example: '0.50' },
    render: (value) => value.toFixed(2),
    ...options,
  });

const KIND: Record<'synthesizerProviderId' | 'transcriberProviderId', SpeechKind> = {
  synthesizerProviderId: 'synthesizer',
  transcriberProviderId: 'transcriber',
};

/** Of speech. */
export const provider = (property: 'synthesizerProviderId' | 'transcriberProviderId', what: string) =>
  setting(property, IdField, {
    default: null,
    nullable: true,
    description: `Who ${what}; null: the carrier or the browser. Both providers are set, or none.`,
    find: (id: number | null, catalog) =>
      id === null ? null : catalog.speechProvider(id, KIND[property])?.id,
    schema: { type: 'integer' },
  });
