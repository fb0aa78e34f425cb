import { ApiError, errorOf } from '#console/api/api-error';
import type { Schemas } from '#console/api/client';
import { API_PATH } from '#console/api/place';
import { keyStore } from '#console/session/key-store';
import { t } from '#console/texts';

export type ImportReport = Schemas['ImportReportResponse'];

export interface ImportRequest {
  content: Blob;
  name: string;
  campaignId: number;
  allowsDuplicates: boolean;
  /** Nothing is stored. */
  isDryRun: boolean;
  /** With the same one a repeated import is done once. */
  key: string;
  signal: AbortSignal;
  /** @param share of the file that is sent, 0 to 1 */
  onSent: (share: number) => void;
}

/** As forms have it. */
const flag = (value: boolean): string => (value ? '1' : '0');

/** The most that the service lists. */
const MOST_ERRORS = 10_000;

/** Not by `fetch`: it tells nothing of how much of a body is sent. @throws ApiError */
export function sendFile(request: ImportRequest): Promise<ImportReport> {
  const form = new FormData();
  form.set('campaign_id', String(request.campaignId));
  form.set('allow_dupplicate', flag(request.allowsDuplicates));
  form.set('dry_run', flag(request.isDryRun));
  form.set('max_errors', String(MOST_ERRORS));
  form.set('file', request.content, request.name);
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', `${API_PATH}/user/leads/import`);
    xhr.setRequestHeader('authorization', `Bearer ${keyStore.get().key}`);
    xhr.setRequestHeader('idempotency-key', request.key);
    xhr.upload.addEventListener('progress', ({ loaded, total }) =>
      request.onSent(total > 0 ? loaded / total : 0),
    );
    xhr.upload.addEventListener('load', () => request.onSent(1));
    xhr.addEventListener('load', () => {
      if (xhr.status === 401) keyStore.refuse(keyStore.get().key);
      if (xhr.status < 300) resolve((JSON.parse(xhr.responseText) as { data: ImportReport }).data);
      else void errorOf(new Response(xhr.responseText, { status: xhr.status })).then(reject);
    });
    xhr.addEventListener('error', () => reject(new ApiError(0, t.errors.unreachable)));
    xhr.addEventListener('abort', () => reject(request.signal.reason as Error));
    request.signal.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}
