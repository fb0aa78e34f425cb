import type { Type } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';
import { Transform, TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage as readings } from 'class-transformer/cjs/storage.js';
import { declaredFields } from './dto-fast-path.js';
import { emptyIsAbsent } from './field-rules.js';

/** Key of what `ApiProperty` says of a field; the decorator itself would take a list for its item. */
const DOCUMENTED = 'swagger/apiModelProperties';

/**
 * The body of an update, out of that of a creation: every field is optional and absent keeps what is stored. Null,
 * which a creation takes for absent, is refused where it is no value of the field.
 */
export function UpdateType<T extends object>(creation: Type<T>): Type<Partial<T>> {
  class Update extends (PartialType(creation, { skipNullProperties: false }) as Type<object>) {}
  for (const name of declaredFields(creation)) {
    const transforms = readings.findTransformMetadatas(creation, name, TransformationType.PLAIN_TO_CLASS);
    if (!transforms.some(({ transformFn }) => transformFn === emptyIsAbsent)) continue;
    // Runs after the inherited transforms.
    Transform(keepNull)(Update.prototype, name);
    const documented = Reflect.getMetadata(DOCUMENTED, Update.prototype, name) as object;
    Reflect.defineMetadata(DOCUMENTED, { ...documented, nullable: false }, Update.prototype, name);
  }
  return Update as Type<Partial<T>>;
}

const keepNull = ({ value, obj, key }: TransformFnParams): unknown =>
  (obj as Record<string, unknown>)[key] === null ? null : value;
