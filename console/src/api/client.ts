import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { keyStore } from '#console/session/key-store';
import { t } from '#console/texts';
import { ApiError, errorOf } from './api-error';
import { patientFetch, randomId } from './patient-fetch';
import { API_PATH } from './place';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

const keyAndErrors: Middleware = {
  onRequest({ request }) {
    const { key } = keyStore.get();
    if (key !== null && !request.headers.has('authorization')) {
      request.headers.set('authorization', `Bearer ${key}`);
    }
    if (request.method === 'POST') request.headers.set('idempotency-key', randomId());
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return undefined;
    if (response.status === 401) keyStore.refuse(keyOf(request));
    throw await errorOf(response);
  },
  onError({ error }) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError'))
      return undefined;
    return new ApiError(0, t.errors.unreachable);
  },
};

const keyOf = (request: Request): string | null =>
  request.headers.get('authorization')?.replace(/^Bearer /, '') ?? null;

/** Throws `ApiError`. */
export const api = createFetchClient<paths>({ baseUrl: API_PATH, fetch: patientFetch });
api.use(keyAndErrors);

/** `$api.useQuery('get', '/user/calls', {params: {query}})` and `$api.useMutation('post', '/user/make_call')`. */
export const $api = createQueryClient(api);
