import { applyDecorators, HttpCode, UseInterceptors, type StreamableFile, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtension,
  ApiExtraModels,
  ApiInternalServerErrorResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnauthorizedResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  CursorsResponse,
  PaginatedResponse,
  paginatedSchema,
  type Page,
  type StreamedPage,
} from './pagination/page.js';
import { PageInterceptor } from './pagination/page.interceptor.js';
import type { ApiError } from '#src/common/errors/api-error.js';
import { ErrorsResponse, MessageResponse, type DataResult, type MessageAndData } from './message.response.js';
import { SCOPE_EXTENSION } from './openapi-document.js';
import { WithRouteConfig, type ShownOnce } from './route-config.js';
import type { Scope } from './scopes.js';

export interface EndpointOptions {
  summary: string;
  description?: string;
  /** Default 200. */
  status?: 200 | 201;
  /** The answer is `{data}`. */
  data?: Type;
  /** The answer is `{message, data}`. */
  message?: true;
  /** The whole answer: an object, or with brackets a list. Default `{message}`. */
  body?: Type | [Type];
  /** The handler returns a `Page` of these; the answer is the envelope. */
  page?: Type;
  /** The envelope of `page` also has cursors. */
  withCursors?: boolean;
  /** A list of these; with `page` or `per_page` in the query the envelope. */
  listOrPage?: Type;
  /** A response that is no JSON, and the models of its content. */
  stream?: { mediaType: string; schema: object; models: Type[] };
  /**
   * For `@Redirect()`: the handler returns `{url}`, the target of the response (302); the description of the target.
   */
  redirect?: string;
  /** Errors besides a wrong field (see `documentInvalidInput`) and the path's own. */
  errors?: (ErrorClass | DocumentedError)[];
  /** The scope that a token needs. Default `read` for GET and `write` for other methods. */
  scope?: Scope;
  /** Members of the answer that are shown once, not in a replay for an `Idempotency-Key`. */
  shownOnce?: ShownOnce;
  /** The shape of every error of the route, where it is another one than elsewhere. */
  errorShape?: Type;
  /** The message of a 500. Default `Server Error`. */
  failure?: string;
}

/** The return value of the handler of such a route. A stream of JSON text is not checked. */
export type HandlerResult<Options extends EndpointOptions> = Options extends { page: Type<infer T> }
  ? Page<T> | StreamedPage
  : Options extends { listOrPage: Type<infer T> }
    ? T[] | StreamableFile | Page<T> | StreamedPage
    : Options extends { stream: object }
      ? StreamableFile
      : Options extends { redirect: string }
        ? { url: string }
        : Options extends { data: Type<infer T>; message: true }
          ? MessageAndData<T>
          : Options extends { data: Type<infer T> }
            ? DataResult<T>
            : Options extends { body: [Type<infer T>] }
              ? T[] | StreamableFile
              : Options extends { body: Type<infer T> }
                ? T
                : MessageResponse;

/** A decorator of handlers that return this; any other does not compile. */
export type HandlerDecorator<Answer> = <Handler extends (...parameters: never[]) => Answer | Promise<Answer>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

type ErrorClass = new () => ApiError;

interface DocumentedError {
  status: number;
  description: string;
  type?: Type;
}

/** Errors that every route has; the document describes them where no shape of its own is given. */
const EVERYWHERE = [
  { status: 429, description: 'Too many requests; see `Retry-After`.' },
  { status: 503, description: 'The service cannot answer for now; see `Retry-After`.' },
];

/** Tags and security of a domain's controllers in the OpenAPI document. */
export const ApiResource = (tag: string): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ type: MessageResponse, description: 'No valid bearer token.' }),
  );

/** Declares and documents the response of a route. The operation id is the handler's name. */
export const Endpoint =
  <Options extends EndpointOptions>(options: Options): HandlerDecorator<HandlerResult<Options>> =>
  (target, key, descriptor) => {
    const { status, scope, shownOnce, failure }: EndpointOptions = options;
    const decorators = [
      HttpCode(status ?? 200),
      WithRouteConfig({ scope: scope ?? 'by-method', shownOnce, failure }),
      ...documentation(options, String(key)),
    ];
    if (options.page ?? options.listOrPage) decorators.push(UseInterceptors(PageInterceptor));
    applyDecorators(...decorators)(target, key, descriptor);
  };

function documentation(options: EndpointOptions, operationId: string): MethodDecorator[] {
  const { summary, description, scope = 'by-method', errors = [], errorShape, failure } = options;
  const decorators = [
    ApiExtension(SCOPE_EXTENSION, scope),
    ApiOperation({ operationId, summary, ...(description === undefined ? {} : { description }) }),
    documentedResponse(options),
    ...errors.map((error) => documentedError(error, errorShape)),
    ...(errorShape ? EVERYWHERE.map((other) => ApiResponse({ ...other, type: errorShape })) : []),
  ];
  if (failure !== undefined) {
    decorators.push(ApiInternalServerErrorResponse({ type: MessageResponse, description: failure }));
  }
  return decorators;
}

function documentedResponse(options: EndpointOptions): MethodDecorator {
  const {
    status = 200,
    message = false,
    data,
    body,
    page,
    withCursors,
    listOrPage,
    stream,
    redirect,
  } = options;
  if (redirect !== undefined) return ApiResponse({ status: 302, description: redirect });
  if (stream) {
    const content = { [stream.mediaType]: { schema: stream.schema } };
    return applyDecorators(ApiExtraModels(...stream.models), ApiResponse({ status, content }));
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
    return applyDecorators(ApiExtraModels(data), ApiResponse({ status, schema: dataSchema(data, message) }));
  }
  return ApiResponse({ status, type: isList(body) ? [body[0]] : (body ?? MessageResponse) });
}

const isList = (body: EndpointOptions['body']): body is [Type] => Array.isArray(body);

/** The schema of `{data}` or `{message, data}`. */
function dataSchema(type: Type, message: boolean) {
  const data = { $ref: getSchemaPath(type) };
  const properties: Record<string, object> = message ? { message: { type: 'string' }, data } : { data };
  return { type: 'object', required: Object.keys(properties), properties };
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
