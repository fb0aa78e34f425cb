import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { Invalid, INVALID_DATA, type FieldErrors } from '../errors/api-error.js';
import { DtoFastPath, isObject, type DtoClass } from './dto-fast-path.js';

const messages = new WeakMap<object, string>();

/** The `message` of a 422 for this DTO; without it, `The given data was invalid.` */
export const InvalidMessage =
  (message: string): ClassDecorator =>
  (target) =>
    void messages.set(target, message);

/** Reads bodies and queries into their DTO class; only declared fields get through. */
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
        const message = (target && messages.get(target.constructor)) ?? INVALID_DATA;
        return new Invalid(collect(errors), message);
      },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    const isDto = (type === 'body' || type === 'query') && metatype !== undefined && isObject(value);
    const dto = isDto ? DtoFastPath.of(metatype as DtoClass)?.read(value) : null;
    return dto ?? super.transform(value, metadata);
  }

  /** Nest would strip keys such as `constructor` out of the caller's free-form objects; ours are never merged. */
  protected override stripProtoKeys(): void {}
}

function collect(errors: ValidationError[], path = '', into: FieldErrors = {}): FieldErrors {
  for (const error of errors) {
    const key = path + error.property;
    if (error.constraints) into[key] = Object.values(error.constraints);
    if (error.children?.length) collect(error.children, `${key}.`, into);
  }
  return into;
}
