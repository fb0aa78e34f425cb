import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Settings } from '#src/config/recordings.env.js';
import type { Settings } from '#src/config/settings.js';
import { toErrorCode } from '../output.js';
import { fail, ok, warn, type CheckResult } from './finding.js';

const TIMEOUT_MS = 10_000;

/** Whether copies can be written to and deleted from the configured storage. */
export async function checkRecordings({
  storage,
  folder,
  s3,
  deleteAtCarrier,
}: Settings['recordings']): Promise<CheckResult> {
  if (storage === 's3' && s3) return checkBucket(s3);
  if (storage === 'folder') return checkFolder(folder);
  return deleteAtCarrier
    ? warn(
        'kept at the carrier; RECORDINGS_DELETE_AT_CARRIER has no effect',
        'set RECORDINGS_STORAGE to folder or s3',
      )
    : ok('kept at the carrier');
}

async function checkFolder(folder: string): Promise<CheckResult> {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return fail(
      `${folder} cannot be written (${toErrorCode(error)})`,
      'give its owner the right to write, or set RECORDINGS_FOLDER',
    );
  }
  return ok(`copied to ${folder}, which can be written`);
}

/** Also the right to delete: a recording must be able to go with its call. */
async function checkBucket(settings: S3Settings): Promise<CheckResult> {
  const { s3Client } = await import('#src/modules/recordings/stores/s3-store.js');
  const { sdk, client } = await s3Client(settings);
  const object = {
    Bucket: settings.bucket,
    Key: `${settings.prefix}doctor-${randomBytes(6).toString('hex')}`,
  };
  try {
    const options = { abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
    await client.send(new sdk.PutObjectCommand({ ...object, Body: 'doctor' }), options);
    await client.send(new sdk.DeleteObjectCommand(object), options);
    return ok(`copied to the bucket ${settings.bucket}, which can be written`);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown error';
    return fail(
      `the bucket ${settings.bucket} cannot be used (${reason})`,
      'check RECORDINGS_S3_BUCKET, its endpoint and region, and the rights of the access key (put, get, delete)',
    );
  } finally {
    client.destroy();
  }
}
