import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConsumes,
  ApiPayloadTooLargeResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { ApiError, BadRequest } from '#src/common/errors/api-error.js';
import { MessageResponse } from './message.response.js';
import { WithRouteConfig, type UploadRules } from './route-config.js';

/** Name of the form's one file. */
const FILE = 'file';
const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 100 * MEGABYTE;
const MAX_FIELDS = 20;
/** Uploads are customers' data: for this process only. */
const OWNER_ONLY = 0o600;

declare module 'fastify' {
  interface FastifyInstance {
    /** Made at the first upload, readable by this process only, removed at the end. */
    uploadDirectory: () => Promise<string>;
  }
}

/**
 * Lets the routes marked with `@AcceptsUpload()` read multipart forms; for other routes such a body is refused with
 * 415. Must be called after `registerJsonBody`, which removes all other readers of bodies.
 */
export async function registerMultipart(fastify: FastifyInstance): Promise<void> {
  const limits = {
    files: 1,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + 1,
    fieldSize: 1024,
    fileSize: MAX_FILE_BYTES,
    headerPairs: 20,
  };
  await fastify.register(multipart, { limits });
  let directory: Promise<string> | undefined;
  fastify.decorate('uploadDirectory', () => (directory ??= mkdtemp(join(tmpdir(), 'calls-uploads-'))));
  fastify.addHook('onClose', async () => {
    if (directory) await rm(await directory, { recursive: true, force: true });
  });
  fastify.addHook('preParsing', async (request) => {
    const { acceptsUpload } = request.routeOptions.config;
    if (isMultipart(request) && !acceptsUpload && !request.is404)
      throw new ApiError(415, 'Unsupported Media Type');
  });
}

const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');

/**
 * Reads the form before the body is validated: `file` becomes the path of a temporary file, which is deleted after the
 * response. The fields may be before or behind the file, and an aborted upload has no effect.
 */
@Injectable()
class UploadInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isMultipart(request)) await readUpload(request);
    else if (!request.routeOptions.config.acceptsUpload?.orJson)
      throw new ApiError(415, 'Unsupported Media Type');
    return next.handle();
  }
}

/** Reads the form into `body`, once: where the request has a key it was read already. */
async function readUpload(request: FastifyRequest): Promise<void> {
  request.body ??= await readForm(request);
}

/**
 * Hash of an upload: the fields and the file's content. Not the bytes of the body, whose boundaries differ at each
 * attempt. Null: the request is no upload.
 */
export async function uploadFingerprint(request: FastifyRequest): Promise<string | null> {
  if (!request.routeOptions.config.acceptsUpload || !isMultipart(request)) return null;
  await readUpload(request);
  const { [FILE]: path, ...fields } = request.body as Record<string, unknown>;
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(fields).sort()));
  if (typeof path === 'string')
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('base64url');
}

async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const directory = await request.server.uploadDirectory();
  const { megabytes } = request.routeOptions.config.acceptsUpload ?? {};
  const limits = { limits: { fileSize: megabytes ? megabytes * MEGABYTE : MAX_FILE_BYTES } };
  const { files, values } = await request
    .saveRequestFiles({ tmpdir: directory, ...limits })
    .catch((error: unknown) => {
      // Errors such as "too large" have their own message; any other error is an unreadable form.
      if (error instanceof Error && 'statusCode' in error) throw error;
      throw new BadRequest('The request body is not a valid multipart form.');
    });
  await Promise.all(files.map(({ filepath }) => chmod(filepath, OWNER_ONLY)));
  const fields = Object.values(
    values as Record<string, { type?: string; fieldname?: string; value?: unknown }>,
  )
    .filter(({ type, fieldname }) => type === 'field' && fieldname !== FILE)
    .map(({ fieldname, value }) => [fieldname, typeof value === 'string' ? fieldValue(value) : value]);
  const file = files.find(({ fieldname }) => fieldname === FILE);
  return { ...Object.fromEntries(fields), ...(file && { [FILE]: file.filepath }) };
}

/** Forms send text only: `true` and `false` are what clients of this API send as booleans in JSON. */
function fieldValue(text: string): string | boolean {
  const value = text.replace(/^\uFEFF/, '');
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/** The path of the form's file; null: the request has none. A body of JSON cannot name one. */
export const UploadPath = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const request = context.switchToHttp().getRequest<FastifyRequest<{ Body: Record<string, unknown> }>>();
  const path = isMultipart(request) ? request.body[FILE] : null;
  return typeof path === 'string' ? path : null;
});

/** The route takes a multipart form with a `file` instead of JSON, or besides it. */
export const AcceptsUpload = ({ megabytes = 100, orJson = false }: UploadRules = {}): MethodDecorator =>
  applyDecorators(
    WithRouteConfig({ acceptsUpload: { megabytes, orJson } }),
    UseInterceptors(UploadInterceptor),
    ApiConsumes(...(orJson ? ['application/json'] : []), 'multipart/form-data'),
    ApiBadRequestResponse({ type: MessageResponse, description: 'The form cannot be read.' }),
    ApiPayloadTooLargeResponse({
      type: MessageResponse,
      description: `The file is larger than ${megabytes} MiB.`,
    }),
    ApiUnsupportedMediaTypeResponse({ type: MessageResponse, description: 'The body is no multipart form.' }),
  );
