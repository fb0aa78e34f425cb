import { isDeepStrictEqual } from 'node:util';
import {
  createParamDecorator,
  Inject,
  Injectable,
  mixin,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '#src/common/errors/api-error.js';
import { ApiValidationPipe } from './api-validation.pipe.js';
import { isObject } from '#src/common/validation/field-rules.js';
import { isId } from '#src/common/validation/fields.js';

type Fields = Record<string, unknown>;
type UpdateRequest = FastifyRequest<{ Params: { id: string } }> & { user: number };
type ReadOne = (userId: number, id: number) => Promise<object>;
type Readers<S> = { [Name in keyof S]: S[Name] extends ReadOne ? Name : never }[keyof S] & string;

interface Options {
  /** Names in answers of fields that requests call otherwise. */
  shownAs?: Readonly<Record<string, string>>;
  /** Fields that decide about others also where they do not change. */
  except?: readonly string[];
}

const RequestOf = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<UpdateRequest>(),
);

const validation = new ApiValidationPipe();

/**
 * In place of `@Body()` for `@Put(':id')`: the body without the fields whose value equals the resource's. Clients
 * write back the values that they have read, and these may be invalid by a newer rule, or refer to deleted resources.
 *
 * @param reader the service's method that returns the resource as the API shows it
 */
export const ChangedFields = <S>(
  service: Type<S>,
  reader: Readers<S>,
  options: Options = {},
): ParameterDecorator => {
  @Injectable()
  class ChangesPipe implements PipeTransform<UpdateRequest> {
    constructor(@Inject(service) private readonly resources: Record<Readers<S>, ReadOne>) {}

    async transform({ user, params, body }: UpdateRequest, { metatype }: ArgumentMetadata): Promise<unknown> {
      const shown = isObject(body) ? await this.shown(user, Number(params.id)) : null;
      const changes = shown ? withoutUnchanged(body as Fields, shown, options) : body;
      return validation.transform(changes, { type: 'body', metatype });
    }

    /** Null: there is no such resource, which the handler answers. */
    private async shown(user: number, id: number): Promise<Fields | null> {
      if (!isId(id)) return null;
      try {
        return JSON.parse(JSON.stringify(await this.resources[reader](user, id))) as Fields;
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
    }
  }
  return (target, key, index) => {
    RequestOf(mixin(ChangesPipe))(target, key, index);
    if (key === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(target, key);
    const types = Reflect.getMetadata('design:paramtypes', target, key) as Type[];
    if (handler) ApiBody({ type: types[index] as Type })(target, key, handler);
  };
};

const withoutUnchanged = (body: Fields, shown: Fields, { shownAs = {}, except = [] }: Options): Fields =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) => except.includes(field) || !isSame(shown[shownAs[field] ?? field], value),
    ),
  );

/** Numbers may be written as text. */
const isSame = (shown: unknown, given: unknown): boolean =>
  isDeepStrictEqual(shown, given) || (isScalar(shown) && isScalar(given) && String(shown) === String(given));

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
