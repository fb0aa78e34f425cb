import { errorOf } from './api-error';
import { patientFetch } from './patient-fetch';
import { API_PATH } from './place';
import { keyStore } from '#console/session/key-store';

/** Saves what the API answers as a file: a link could carry no key. @param path below the API, with its query */
export async function download(path: string, name: string): Promise<void> {
  const { key } = keyStore.get();
  const headers = { authorization: `Bearer ${key}` };
  const response = await patientFetch(new Request(`${API_PATH}${path}`, { headers }));
  if (response.status === 401) keyStore.refuse(key);
  if (!response.ok) throw await errorOf(response);
  saveAs(await response.blob(), name);
}

export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
