/**
 * Sender: a process that sends one file. Its work on the file does not delay the measurement in its parent process, and
 * at low priority it takes no CPU time from the service.
 */
import { setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { formOf, UPLOAD_FILES } from './upload-files.js';
import { ANSWER_TIMEOUT_MS } from './verify-uploads.js';

export interface UploadOrder {
  url: string;
  token: string;
  /** Name of the file in `UPLOAD_FILES`. */
  name: string;
  campaignId: number;
  bytes: number;
}

/** First when the file is ready, then at the end of the upload. */
export type SenderMessage = { ready: true } | { status: number };

const LOW_PRIORITY = 10;

const report = (message: SenderMessage): void => void process.send?.(message);

process.once('message', (order: UploadOrder) => {
  const send = prepare(order);
  process.once('message', () => void send().then((status) => report({ status })));
  report({ ready: true });
});
// The parent process has ended.
process.once('disconnect', () => process.exit(1));
setPriority(LOW_PRIORITY);

/** @returns sends the file. The status; 0: the connection was closed without a response */
function prepare({ url, token, name, campaignId, bytes }: UploadOrder): () => Promise<number> {
  const file = UPLOAD_FILES.find((one) => one.name === name);
  if (!file) throw new Error(`no such file: ${name}`);
  const pieces = formOf(file, campaignId, bytes);
  const timeouts = { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS };
  const pool = new Pool(url, { connections: 1, ...timeouts });
  return () =>
    pool
      .request({
        method: 'POST',
        path: `/api${file.path}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': file.contentType },
        body: Readable.from(pieces),
      })
      .then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        () => 0,
      );
}
