import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import {
  applyDecorators,
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
import { WithRouteConfig } from './route-config.js';

/** Name of the form's one file. */
const FILE = 'file';
const MAX_FILE_BYTES = 100 * 1024 * 1024;
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
 * Lets the routes marked with `@AcceptsUpload()` read multipart forms; everywhere else such a body stays what it
 * was, a 415. To be called after `registerJsonBody`, which removes all other readers of bodies.
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
 * Reads the form before the body is validated: `file` becomes the path of a temporary file, which goes with the
 * answer. The fields may stand before or behind the file, and an upload that breaks off has done nothing yet.
 */
@Injectable()
class UploadInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isMultipart(request)) throw new ApiError(415, 'Unsupported Media Type');
    await readUpload(request);
    return next.handle();
  }
}

/** Reads the form into `body`, once: where the request has a key it was read already. */
async function readUpload(request: FastifyRequest): Promise<void> {
  request.body ??= await readForm(request);
}

/**
 * What an upload asks for: the fields and the file's content. Not the bytes of the body, whose boundaries differ at
 * each attempt. Null: the request is no upload.
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
  const { files, values } = await request.saveRequestFiles({ tmpdir: directory }).catch((error: unknown) => {
    // Too large and the like say so themselves; the rest is a form that cannot be read.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw new BadRequest('The request body is not a valid multipart form.');
  });
  await Promise.all(files.map(({ filepath }) => chmod(filepath, OWNER_ONLY)));
  const fields = Object.values(
    values as Record<string, { type?: string; fieldname?: string; value?: unknown }>,
  )
    .filter(({ type, fieldname }) => type === 'field' && fieldname !== FILE)
    .map(({ fieldname, value }) => [
      fieldname,
      typeof value === 'string' ? value.replace(/^\uFEFF/, '') : value,
    ]);
  const file = files.find(({ fieldname }) => fieldname === FILE);
  return { ...Object.fromEntries(fields), ...(file && { [FILE]: file.filepath }) };
}

/** The route takes a multipart form with a `file` of at most 100 MiB instead of JSON. */
export const AcceptsUpload = (): MethodDecorator =>
  applyDecorators(
    WithRouteConfig({ acceptsUpload: true }),
    UseInterceptors(UploadInterceptor),
    ApiConsumes('multipart/form-data'),
    ApiBadRequestResponse({ type: MessageResponse, description: 'The form cannot be read.' }),
    ApiPayloadTooLargeResponse({ type: MessageResponse, description: 'The file is larger than 100 MiB.' }),
    ApiUnsupportedMediaTypeResponse({ type: MessageResponse, description: 'The body is no multipart form.' }),
  );
