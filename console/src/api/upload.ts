import { keyStore } from '#console/session/key-store';
import { t } from '#console/texts';
import { ApiError, errorOf } from './api-error';
import { API_PATH } from './place';

export interface Upload {
  /** Below the API. */
  path: string;
  form: FormData;
  /** With the same one a repeated upload is done once. */
  key: string;
  signal: AbortSignal;
  /** @param share of the form that is sent, 0 to 1 */
  onSent: (share: number) => void;
}

/** Posts a form. Not by `fetch`: it tells nothing of how much of a body is sent. @throws ApiError */
export function upload<T>({ path, form, key, signal, onSent }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', `${API_PATH}${path}`);
    xhr.setRequestHeader('authorization', `Bearer ${keyStore.get().key}`);
    xhr.setRequestHeader('idempotency-key', key);
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
    xhr.upload.addEventListener('load', () => onSent(1));
    xhr.addEventListener('load', () => {
      if (xhr.status === 401) keyStore.refuse(keyStore.get().key);
      if (xhr.status < 300) resolve((JSON.parse(xhr.responseText) as { data: T }).data);
      else void errorOf(new Response(xhr.responseText, { status: xhr.status })).then(reject);
    });
    xhr.addEventListener('error', () => reject(new ApiError(0, t.errors.unreachable)));
    xhr.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}
