import { ChoiceEnv, FlagEnv, IntegerEnv, TextEnv, UrlEnv, type EnvProblems } from './env-fields.js';

const RECORDING_STORAGES = ['carrier', 'folder', 's3'] as const;
export type RecordingStorage = (typeof RECORDING_STORAGES)[number];

/** Where recordings are kept, and how long their URLs are valid. */
export class RecordingsEnv {
  @ChoiceEnv({
    name: 'RECORDINGS_STORAGE',
    values: RECORDING_STORAGES,
    example: 'carrier',
    description: 'Where new recordings are kept: `carrier`, or copied to a `folder` or to `s3`',
  })
  storage: RecordingStorage = 'carrier';

  @TextEnv({
    name: 'RECORDINGS_FOLDER',
    example: '/var/lib/recordings',
    unset: '`DATA_DIR/recordings`',
    description: 'Folder of copied recordings; all processes must see the same one',
  })
  folder: string | null = null;

  @FlagEnv({
    name: 'RECORDINGS_DELETE_AT_CARRIER',
    example: 'true',
    description: '`true`: a recording that has been copied is deleted at the carrier',
  })
  deleteAtCarrier = false;

  @TextEnv({
    name: 'RECORDINGS_S3_BUCKET',
    example: 'call-recordings',
    unset: 'none',
    description: 'Bucket of copied recordings; required with `RECORDINGS_STORAGE=s3`',
  })
  s3Bucket: string | null = null;

  @TextEnv({ name: 'RECORDINGS_S3_REGION', example: 'eu-central-1', description: 'Region of the bucket' })
  s3Region = 'us-east-1';

  @UrlEnv({
    name: 'RECORDINGS_S3_ENDPOINT',
    schemes: ['http:', 'https:'],
    example: 'https://s3.example.com',
    unset: "Amazon's own",
    description: 'Another server with the interface of S3',
  })
  s3Endpoint: string | null = null;

  @TextEnv({
    name: 'RECORDINGS_S3_PREFIX',
    example: 'recordings/',
    unset: 'none',
    description: 'First part of the names of objects in the bucket',
  })
  s3Prefix = '';

  @TextEnv({
    name: 'RECORDINGS_S3_ACCESS_KEY_ID',
    example: 'the-id-of-an-access-key',
    unset: "the AWS client's own sources",
    description: 'Access key of the bucket',
  })
  s3AccessKeyId: string | null = null;

  @TextEnv({
    name: 'RECORDINGS_S3_SECRET_ACCESS_KEY',
    example: 'the-secret-of-that-access-key',
    unset: "the AWS client's own sources",
    description: 'Secret of that access key',
  })
  s3SecretAccessKey: string | null = null;

  @IntegerEnv({
    name: 'RECORDING_URL_TTL_HOURS',
    min: 1,
    max: 720,
    example: '24',
    description: 'How long the URL of a recording is valid, 1–720 hours; in webhooks seven times as long',
  })
  urlTtlHours = 24;
}

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  prefix: string;
  /** Null: the client looks for them itself (environment, profile, role of the machine). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** Null without a bucket. */
export function readS3Settings(env: RecordingsEnv, problems: EnvProblems): S3Settings | null {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = env;
  if (accessKeyId && !secretAccessKey) {
    problems.add('RECORDINGS_S3_SECRET_ACCESS_KEY', 'is required with RECORDINGS_S3_ACCESS_KEY_ID');
  }
  if (secretAccessKey && !accessKeyId) {
    problems.add('RECORDINGS_S3_ACCESS_KEY_ID', 'is required with RECORDINGS_S3_SECRET_ACCESS_KEY');
  }
  if (env.s3Bucket === null) {
    if (env.storage === 's3') {
      problems.add('RECORDINGS_S3_BUCKET', 'is required with RECORDINGS_STORAGE=s3');
    }
    return null;
  }
  return {
    bucket: env.s3Bucket,
    region: env.s3Region,
    endpoint: env.s3Endpoint,
    prefix: env.s3Prefix,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
}
