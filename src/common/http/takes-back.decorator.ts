import { isDeepStrictEqual } from 'node:util';
import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { catchError, defer, mergeMap, throwError, type Observable } from 'rxjs';
import { Invalid } from '../errors/api-error.js';

type Fields = Record<string, unknown>;
type ReadOne = (userId: number, id: number) => Promise<object>;

interface Options {
  service: Type;
  reader: string;
  /** Names in answers of fields that requests call otherwise. */
  shownAs: Readonly<Record<string, string>>;
}

const OPTIONS = 'http:takes-back';

type Readers<S> = { [Name in keyof S]: S[Name] extends ReadOne ? Name : never }[keyof S] & string;

/**
 * For `@Put(':id')`: a field that breaks a rule is ignored where its value is what the resource shows now, because
 * clients write back what they have read. The rule may be younger than the value, or what it names is gone.
 *
 * @param reader the service's method that returns the resource as the API shows it
 */
export const TakesBack = <S>(
  service: Type<S>,
  reader: Readers<S>,
  shownAs: Options['shownAs'] = {},
): MethodDecorator =>
  applyDecorators(SetMetadata(OPTIONS, { service, reader, shownAs }), UseInterceptors(TakesBackInterceptor));

/** Costs nothing unless a request is refused. */
@Injectable()
class TakesBackInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!(error instanceof Invalid)) return throwError(() => error);
        return defer(() => this.leaveOut(context, error)).pipe(
          // Each time the body has fewer fields.
          mergeMap((isShorter) => (isShorter ? this.intercept(context, next) : throwError(() => error))),
        );
      }),
    );
  }

  /** Takes the fields of the error that are as they were out of the body. @returns whether there are any */
  private async leaveOut(context: ExecutionContext, { errors }: Invalid): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: number; body: Fields }>();
    const { body } = request;
    const refused = [...new Set(Object.keys(errors).map((path) => fieldOf(path, body)))].filter((field) =>
      Object.hasOwn(body, field),
    );
    const id = Number((request.params as { id?: string }).id);
    if (refused.length === 0 || !Number.isSafeInteger(id)) return false;
    const { service, reader, shownAs } = this.reflector.get<Options>(OPTIONS, context.getHandler());
    const readers = this.modules.get<Record<string, ReadOne>>(service, { strict: false });
    // An id that is not the user's: the error stands.
    const resource = await readers[reader]?.(request.user, id).catch(() => null);
    if (!resource) return false;
    const shown = JSON.parse(JSON.stringify(resource)) as Fields;
    const kept = refused.filter((field) => isSame(shown[shownAs[field] ?? field], body[field]));
    request.body = Object.fromEntries(Object.entries(body).filter(([field]) => !kept.includes(field)));
    return kept.length > 0;
  }
}

/** A name may itself have a dot. */
const fieldOf = (path: string, body: Fields): string =>
  Object.hasOwn(body, path) ? path : (path.split('.')[0] ?? path);

/** Numbers may be written as text. */
const isSame = (shown: unknown, given: unknown): boolean =>
  isDeepStrictEqual(shown, given) || (isScalar(shown) && isScalar(given) && String(shown) === String(given));

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
