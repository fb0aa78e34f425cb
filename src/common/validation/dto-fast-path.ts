import { TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage as readings } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

export type DtoClass = new () => object;
type Values = Record<string, unknown>;
type Check = (object: object, value: unknown) => boolean;
type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface Field {
  name: string;
  transforms: ((params: TransformFnParams) => unknown)[];
  /** The class of an object, or of the objects in a list. */
  nested: DtoClass | null;
  /** Unless all of them hold, the value is not looked at. */
  conditions: Check[];
  checks: Check[];
}

const READ = TransformationType.PLAIN_TO_CLASS;
const readers = new WeakMap<DtoClass, DtoFastPath | null>();

/** Names of the fields of a DTO class. */
export const declaredFields = (dto: DtoClass): string[] => readings.getExposedProperties(dto, READ);

/**
 * Reads bodies that keep all rules. class-transformer and class-validator look their decorators up at every request,
 * which for a body of 30 fields takes longer than its insert; here they are looked up once. A body that breaks a
 * rule is left to those libraries, which word what is wrong: this class only ever says yes.
 */
export class DtoFastPath {
  private constructor(
    private readonly dto: DtoClass,
    private readonly fields: readonly Field[],
  ) {}

  /** Null: the class has no declared fields, or decorators of a kind that nothing here uses. */
  static of(dto: DtoClass): DtoFastPath | null {
    let reader = readers.get(dto);
    if (reader === undefined) {
      reader = DtoFastPath.compile(dto);
      readers.set(dto, reader);
    }
    return reader;
  }

  private static compile(dto: DtoClass): DtoFastPath | null {
    const names = declaredFields(dto);
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    if (names.length === 0 || rules.some(({ propertyName }) => !names.includes(propertyName))) return null;
    const fields = names.map((name) =>
      compileField(
        dto,
        name,
        rules.filter(({ propertyName }) => propertyName === name),
      ),
    );
    return fields.includes(null) ? null : new DtoFastPath(dto, fields as Field[]);
  }

  /** @returns an object of the class; null when the values are not, or may not be, as declared. */
  read(values: Values): object | null {
    const object = new this.dto();
    // One for all fields: transforms read it and return.
    const params: TransformFnParams = { value: undefined, key: '', obj: values, type: READ, options: {} };
    for (const { name, transforms, nested } of this.fields) {
      const given = values[name];
      params.value = nested ? readNested(nested, given) : given;
      if (params.value === UNREADABLE) return null;
      params.key = name;
      for (const transform of transforms) params.value = transform(params);
      if (params.value !== undefined) (object as Values)[name] = params.value;
    }
    for (const field of this.fields) if (!keepsRules(field, object)) return null;
    return object;
  }
}

const UNREADABLE = Symbol('unreadable');

function readNested(dto: DtoClass, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return value;
  if (!Array.isArray(value)) return readObject(dto, value);
  const objects: unknown[] = [];
  for (const item of value) {
    const object = readObject(dto, item);
    if (object === UNREADABLE) return UNREADABLE;
    objects.push(object);
  }
  return objects;
}

const readObject = (dto: DtoClass, value: unknown): unknown =>
  isObject(value) ? (DtoFastPath.of(dto)?.read(value) ?? UNREADABLE) : UNREADABLE;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keepsRules({ name, conditions, checks }: Field, object: object): boolean {
  const value = (object as Values)[name];
  for (const holds of conditions) if (!holds(object, value)) return true;
  for (const passes of checks) if (!passes(object, value)) return false;
  return true;
}

function compileField(dto: DtoClass, name: string, rules: readonly Rule[]): Field | null {
  const type: unknown = readings.findTypeMetadata(dto, name)?.typeFunction();
  const transforms = readings.findTransformMetadatas(dto, name, READ);
  const isNested = rules.some((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
  const isPlain = type === Object && !isNested;
  const isKnown = rules.every((rule) => !rule.groups?.length && KNOWN_RULES.has(rule.type));
  const isConditional = transforms.some(({ options }) => options && Object.keys(options).length > 0);
  if (!isKnown || isConditional || typeof type !== 'function' || isPlain === isNested) return null;
  return {
    name,
    transforms: transforms.map(({ transformFn }) => transformFn),
    nested: isNested ? (type as DtoClass) : null,
    conditions: rules
      .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map((rule) => rule.constraints[0] as Check),
    checks: rules.filter((rule) => rule.type === ValidationTypes.CUSTOM_VALIDATION).flatMap(toChecks),
  };
}

/** Nested objects are checked by being read. */
const KNOWN_RULES = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
]);

function toChecks({ target, constraintCls, constraints, propertyName: property, each }: Rule): Check[] {
  const targetName = typeof target === 'string' ? target : target.name;
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      // One for all values: what does not answer at once is left to class-validator, for a promise is no `true`.
      const args: ValidationArguments = { value: undefined, constraints, object: {}, property, targetName };
      const passes: Check = (object, value) => {
        args.value = value;
        args.object = object;
        return instance.validate(value, args) === true;
      };
      return each
        ? (object, value) =>
            Array.isArray(value) ? value.every((item) => passes(object, item)) : passes(object, value)
        : passes;
    });
}
