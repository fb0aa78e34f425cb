import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { rangeHeader, type BytePart } from '#src/http/byte-range.js';
import type { S3Settings } from '#src/config/recordings.env.js';
import type { DownloadedRecording, RecordingStore } from './recording-store.js';

type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_MS = 5_000;
/** Without a byte in either direction. */
const SILENCE_MS = 30_000;

/** The SDK is loaded with the first request: most installations have no bucket. */
export async function s3Client(settings: S3Settings): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const { region, endpoint, credentials } = settings;
  const client = new sdk.S3Client({
    region,
    // Other servers than Amazon's are mostly addressed by one name for all buckets.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // Not all of them know the checksums that the SDK adds otherwise.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  });
  return { sdk, client };
}

/** Copies in a bucket of Amazon S3, or of a server with the same interface. */
export class S3Store implements RecordingStore {
  private connecting: ReturnType<typeof s3Client> | null = null;

  constructor(
    private readonly settings: S3Settings,
    readonly incoming: string,
  ) {}

  async save(key: string, { path, bytes, contentType }: DownloadedRecording): Promise<void> {
    const { sdk, client } = await this.connect();
    const body = createReadStream(path);
    try {
      await client.send(
        new sdk.PutObjectCommand({
          ...this.object(key),
          Body: body,
          ContentLength: bytes,
          ContentType: contentType,
        }),
      );
    } finally {
      body.destroy();
    }
  }

  async open(key: string, part: BytePart | null, signal: AbortSignal): Promise<Readable | null> {
    const { sdk, client } = await this.connect();
    const Range = part ? rangeHeader(part) : undefined;
    try {
      const { Body: body } = await client.send(
        new sdk.GetObjectCommand({ ...this.object(key), ...(Range ? { Range } : {}) }),
        { abortSignal: signal },
      );
      return body instanceof Readable ? body : null;
    } catch (error) {
      if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const { sdk, client } = await this.connect();
    await client.send(new sdk.DeleteObjectCommand(this.object(key)));
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: this.settings.prefix + key };
  }

  private connect(): ReturnType<typeof s3Client> {
    this.connecting ??= s3Client(this.settings);
    return this.connecting;
  }
}
