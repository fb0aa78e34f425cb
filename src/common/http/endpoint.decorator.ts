import { applyDecorators, HttpCode, Redirect, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import {
  ApiBearerAuth,
  ApiExtension,
  ApiExtraModels,
  ApiInternalServerErrorResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnauthorizedResponse,
  ApiUnprocessableEntityResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { CursorsResponse, PaginatedResponse, paginatedSchema } from '../pagination/page.js';
import { ApiError, UnexpectedFailure } from '../errors/api-error.js';
import { toErrorAnswer } from '../errors/error-answer.js';
import { ErrorsResponse, MessageResponse } from './message.response.js';
import { SCOPE_EXTENSION } from './openapi-document.js';
import { WithRouteConfig } from './route-config.js';
import type { Scope, ScopedRoute } from './scopes.js';

export interface EndpointOptions {
  summary: string;
  description?: string;
  /** Default 200. */
  status?: 200 | 201;
  /**
   * The success message: the answer is `{message}`, with `data` `{message, data}`. A function makes it of the handler's
   * first argument.
   */
  message?: string | ((input: never) => string);
  /** What the handler returns; the answer is `{data}`, with a message `{message, data}`. */
  data?: Type;
  /** Like `data`, where the whole answer has a class of its own. */
  wrapper?: Type;
  /** The answer as the handler returns it: an object, or with brackets a list. */
  body?: Type | [Type];
  /** The handler returns a `Page` of these; the answer is the envelope. */
  page?: Type;
  /** The envelope of `page` also has cursors. */
  withCursors?: boolean;
  /** A list of these; with `page` or `per_page` in the query the envelope. */
  listOrPage?: Type;
  /** An answer that none of the above describes, and the models that its schema names. */
  schema?: { schema: object; models: Type[] };
  /** An answer that is no JSON, and the models of what is in it. */
  stream?: { mediaType: string; schema: object; models: Type[] };
  /** The handler returns `{url}`, to which the answer (302) leads; what is there. */
  redirect?: string;
  /** Errors besides a wrong field (documented where there is a body or a query) and the path's own. */
  errors?: (ErrorClass | DocumentedError)[];
  /** What a token needs. Default `read` for GET and `write` for other methods. */
  scope?: Scope;
  /** Members of the answer, at any depth, that are shown once: a replay for an `Idempotency-Key` lacks them. */
  shownOnce?: string[];
  /** The shape of every error of the route, where it is another one than elsewhere. */
  errorShape?: Type;
  /** The message of a 500. Default `Server Error`. */
  failure?: string;
}

type ErrorClass = new () => ApiError;

interface DocumentedError {
  status: number;
  description: string;
  type?: Type;
}

/** See `EndpointOptions.shownOnce`. */
export interface ShownOnceRoute {
  shownOnce?: string[] | undefined;
}

/** Errors that every route has; the document describes them where no shape of its own is given. */
const EVERYWHERE = [
  { status: 429, description: 'Too many requests; see `Retry-After`.' },
  { status: 503, description: 'The service cannot answer for now; see `Retry-After`.' },
];

/** What every controller of a domain says to the OpenAPI document. */
export const ApiResource = (tag: string): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ type: MessageResponse, description: 'No valid bearer token.' }),
  );

/**
 * Declares a route's answer, its errors and its documentation. The operation id is the handler's name. Stands below
 * `@Get()`, `@Post()` and so on.
 */
export const Endpoint = (options: EndpointOptions): MethodDecorator => {
  // The method is not known here: its decorator stands above this one and is applied later.
  const { summary, description, status = 200, failure, errorShape, scope = 'by-method', shownOnce } = options;
  return (target, key, descriptor) => {
    // No interceptor: see `PageAdapter`.
    if (isWrapped(options) || failure !== undefined) shapeAnswer(descriptor, options);
    const operationId = String(key);
    const decorators = [
      HttpCode(status),
      WithRouteConfig({ scope, shownOnce } satisfies ScopedRoute & ShownOnceRoute),
      ApiExtension(SCOPE_EXTENSION, scope),
      ApiOperation({ operationId, summary, ...(description === undefined ? {} : { description }) }),
      documentedAnswer(options),
      ...(options.errors ?? []).map((error) => documentedError(error, errorShape)),
      ...(errorShape ? EVERYWHERE.map((other) => ApiResponse({ ...other, type: errorShape })) : []),
    ];
    if (options.redirect !== undefined) decorators.push(Redirect());
    if (readsInput(target, operationId)) {
      decorators.push(
        ApiUnprocessableEntityResponse({
          type: errorShape ?? ErrorsResponse,
          description: 'The request breaks a rule.',
        }),
      );
    }
    if (failure !== undefined) {
      decorators.push(ApiInternalServerErrorResponse({ type: MessageResponse, description: failure }));
    }
    applyDecorators(...decorators)(target, key, descriptor);
  };
};

const isWrapped = ({ message, data, wrapper }: EndpointOptions): boolean =>
  [message, data, wrapper].some((option) => option !== undefined);

/** In the handler's place, one that gives its answer the shape, and its unexpected errors the message, of the options. */
function shapeAnswer(descriptor: PropertyDescriptor, options: EndpointOptions): void {
  const handler = descriptor.value as (...args: unknown[]) => unknown;
  const { message, failure } = options;
  const wraps = isWrapped(options);
  async function shaped(this: unknown, ...args: unknown[]): Promise<unknown> {
    try {
      const data = await handler.apply(this, args);
      return wraps
        ? { message: typeof message === 'function' ? message(args[0] as never) : message, data }
        : data;
    } catch (error) {
      const isKnown = failure === undefined || error instanceof ApiError || !toErrorAnswer(error).unexpected;
      throw isKnown ? error : new UnexpectedFailure(failure, error);
    }
  }
  // By the name, documentation finds what belongs to the handler's parameters.
  Object.defineProperty(shaped, 'name', { value: handler.name });
  for (const key of Reflect.getMetadataKeys(handler) as string[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), shaped);
  descriptor.value = shaped;
}

/** The schema of `{message, data}` or, without a message, `{data}`. */
export function dataSchema(type: Type, { message = false } = {}) {
  const data = { $ref: getSchemaPath(type) };
  const properties: Record<string, object> = message ? { message: { type: 'string' }, data } : { data };
  return { type: 'object', required: Object.keys(properties), properties };
}

function documentedAnswer(options: EndpointOptions): MethodDecorator {
  const {
    status = 200,
    message,
    data,
    wrapper,
    body,
    page,
    withCursors,
    listOrPage,
    schema,
    stream,
    redirect,
  } = options;
  if (redirect !== undefined) return ApiResponse({ status: 302, description: redirect });
  if (stream) {
    const content = { [stream.mediaType]: { schema: stream.schema } };
    return applyDecorators(ApiExtraModels(...stream.models), ApiResponse({ status, content }));
  }
  if (schema) {
    const { models, ...answer } = schema;
    return applyDecorators(ApiExtraModels(...models), ApiResponse({ status, ...answer }));
  }
  if (page) {
    return applyDecorators(
      ApiExtraModels(PaginatedResponse, CursorsResponse, page),
      ApiResponse({ status, schema: paginatedSchema(page, { withCursors }) }),
    );
  }
  if (listOrPage) {
    const list = { type: 'array', items: { $ref: getSchemaPath(listOrPage) } };
    return applyDecorators(
      ApiExtraModels(PaginatedResponse, listOrPage),
      ApiResponse({
        status,
        schema: { oneOf: [list, paginatedSchema(listOrPage)] },
        description: 'A bare array; with `page` or `per_page` the envelope.',
      }),
    );
  }
  if (data) {
    const answer = dataSchema(data, { message: message !== undefined });
    return applyDecorators(ApiExtraModels(data), ApiResponse({ status, schema: answer }));
  }
  return ApiResponse({ status, type: wrapper ?? body ?? MessageResponse });
}

function documentedError(error: ErrorClass | DocumentedError, errorShape?: Type): MethodDecorator {
  if ('status' in error) {
    const { status, description, type = errorShape ?? MessageResponse } = error;
    return ApiResponse({ status, description, type });
  }
  const { status, message, body } = new error();
  return ApiResponse({
    status,
    description: message,
    type: errorShape ?? ('errors' in body ? ErrorsResponse : MessageResponse),
  });
}

/** Whether the handler takes a body or a query: then a field of it may be wrong. */
function readsInput(target: object, handler: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, handler) ?? {}) as object;
  return Object.keys(parameters).some((parameter) =>
    [RouteParamtypes.BODY, RouteParamtypes.QUERY].includes(Number(parameter.split(':')[0])),
  );
}
