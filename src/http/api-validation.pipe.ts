import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { Invalid, MAX_FIELD_ERRORS, type FieldErrors } from '#src/common/errors/api-error.js';
import { declaredFields, type DtoClass } from '#src/common/validation/declared-fields.js';
import { fieldMessage, isObject } from '#src/common/validation/field-rules.js';

const messages = new WeakMap<object, string>();

/** No field takes a list as long; the rules of a shorter one are checked for each item. */
const MAX_ITEMS = 1_000;

/** The `message` of a 422 for this DTO; without it, `The given data was invalid.` */
export const InvalidMessage =
  (message: string): ClassDecorator =>
  (target) =>
    void messages.set(target, message);

/** Reads bodies and queries into their DTO class; only declared fields get through. Of all routes: `createApp`. */
@Injectable()
export class ApiValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      stopAtFirstError: true,
      transformOptions: { excludeExtraneousValues: true, exposeUnsetFields: false },
      validationError: { target: true, value: false },
      exceptionFactory: (errors) => {
        const target = errors[0]?.target;
        return new Invalid(collect(errors), target && messages.get(target.constructor));
      },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (isObject(value) && this.toValidate(metadata)) refuseLongLists(value, metadata.metatype as DtoClass);
    return super.transform(value, metadata);
  }

  /** Other parameters are read by pipes of their own, which need the unchanged value. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }

  /** Nest would strip keys such as `constructor` out of the caller's free-form objects; ours are never merged. */
  protected override stripProtoKeys(): void {}
}

/** Before any item is looked at: class-validator checks all items, also those of a list that is too long. */
function refuseLongLists(value: Record<string, unknown>, dto: DtoClass): void {
  const long = Object.keys(value).filter((name) => isLongList(value[name]));
  if (long.length === 0) return;
  const declared = declaredFields(dto).filter((name) => long.includes(name));
  if (declared.length === 0) return;
  const errors = declared.map((name) => [name, [fieldMessage(name, 'has too many items')]]);
  throw new Invalid(Object.fromEntries(errors), messages.get(dto));
}

const isLongList = (value: unknown): boolean => Array.isArray(value) && value.length > MAX_ITEMS;

function collect(errors: ValidationError[], path = '', into: FieldErrors = {}): FieldErrors {
  for (const error of errors) {
    if (Object.keys(into).length >= MAX_FIELD_ERRORS) break;
    const key = path + error.property;
    if (error.constraints) into[key] = Object.values(error.constraints);
    if (error.children?.length) collect(error.children, `${key}.`, into);
  }
  return into;
}
