import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { SecretsService } from '#src/secrets/secrets.service.js';
import { RecordingKey } from './entities/recording.entities.js';
import { RecordingLinkExpired, RecordingLinkInvalid } from './recordings.errors.js';

/** Where a link is shown; how long it is valid depends on it. */
export type LinkAudience = 'api' | 'webhook';

const HOUR_SECONDS = 3600;
/** Receivers of webhooks often read the link days later: 7 days where a link in the API is valid for one. */
const WEBHOOK_FACTOR = 7;
/** Of the file, as browsers and other services that are given the link see it. */
const EXTENSION = '.wav';
/** Call, end (seconds since the epoch), key, HMAC-SHA256 in base64url. */
const LINK = /^([1-9]\d{0,9})\.(\d{1,11})\.([1-9]\d{0,8})\.([\w-]{43})\.wav$/;

const REREAD_MS = 1_000;

/** The keys sign recordings of all accounts. */
const PLACE = { accountId: null, table: 'recording_keys', column: 'secret' };

type LinkedCall = { id: number; recordingUrl: string | null };

/** Signs and checks the public URLs of recordings. The signature is in the path: a player sends no headers of ours. */
@Injectable()
export class RecordingLinksService implements OnModuleInit {
  private keys = new Map<number, Buffer>();
  private newest = 0;
  private rereadAt = -Infinity;

  constructor(
    @InjectRepository(RecordingKey) private readonly stored: Repository<RecordingKey>,
    private readonly settings: RuntimeSettings,
    private readonly encryption: SecretsService,
    private readonly columns: SealedColumnsService,
  ) {}

  /** @throws Error without a key: links could not be signed */
  async onModuleInit(): Promise<void> {
    this.columns.register(this.stored, 'secret');
    await this.readKeys();
    if (this.newest === 0)
      throw new Error('The table recording_keys is empty; see docs/run/recordings.md, "Keys"');
  }

  /** The end is rounded up to a full hour, so that two answers in a row are the same. Null: there is no recording. */
  createLink({ id, recordingUrl }: LinkedCall, reader: LinkAudience, now = Date.now()): string | null {
    if (recordingUrl === null || this.newest === 0) return null;
    const hours = this.settings.recordings.urlTtlHours * (reader === 'webhook' ? WEBHOOK_FACTOR : 1);
    const end = (Math.ceil(now / 1000 / HOUR_SECONDS) + hours) * HOUR_SECONDS;
    const link = [id, end, this.newest, this.sign(id, end, this.newest)].join('.');
    return `${this.settings.http.publicUrl}/recordings/${link}${EXTENSION}`;
  }

  /**
   * @param link the last part of the URL
   * @returns the id of the call
   * @throws RecordingLinkInvalid, RecordingLinkExpired
   */
  async verifyLink(link: string, now = Date.now()): Promise<number> {
    const [, id, end, key, signature = ''] = LINK.exec(link) ?? [];
    // Another process has started with a newer key; invented ones cost one look a second.
    if (Number(key) > this.newest && performance.now() - this.rereadAt > REREAD_MS) {
      this.rereadAt = performance.now();
      await this.readKeys();
    }
    const expected = Buffer.from(this.sign(Number(id), Number(end), Number(key)) ?? '');
    const given = Buffer.from(signature);
    if (given.length === 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new RecordingLinkInvalid();
    }
    if (Number(end) * 1000 <= now) throw new RecordingLinkExpired();
    return Number(id);
  }

  private async readKeys(): Promise<void> {
    const keys = await this.stored.find({ order: { id: 'ASC' } });
    const opened = keys.map(async ({ id, secret }): Promise<[number, Buffer]> => {
      const base64 = await this.encryption.open({ ...PLACE, row: id }, secret);
      return [id, Buffer.from(base64, 'base64')];
    });
    this.keys = new Map(await Promise.all(opened));
    this.newest = keys.at(-1)?.id ?? 0;
  }

  /** Null: there is no such key. */
  private sign(callId: number, end: number, keyId: number): string | null {
    const key = this.keys.get(keyId);
    if (!key) return null;
    return createHmac('sha256', key).update(`recording ${callId} ${end}`).digest('base64url');
  }
}
