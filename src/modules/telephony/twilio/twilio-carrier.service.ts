import { Injectable } from '@nestjs/common';
import {
  type CarrierCall,
  CarrierCalls,
  type PlaceCallRequest,
  type RecordingAudio,
} from '../carrier-calls.js';
import { CarrierError } from '../carrier-error.js';
import { type CarrierMessage, CarrierMessages, type SendSmsRequest } from '../carrier-messages.js';
import {
  type AvailableNumber,
  type CarrierNumber,
  CarrierNumbers,
  NUMBER_TYPES,
  type NumberSearch,
} from '../carrier-numbers.js';
import type { ByteRange } from '#src/http/byte-range.js';
import type { RelaySettings } from '../call-session.js';
import { TelephonySettings } from '../telephony-settings.js';
import { settingsNotApplied } from './relay-attributes.js';
import { canSpeak } from './relay-languages.js';
import { listNumbersForSale, toAvailableNumber, toCarrierNumber } from './twilio-numbers.js';
import type { TwilioClient } from './twilio-request-client.js';
import { isNotFound, toCarrierError } from './twilio-failure.js';
import { parseRecordingUrl, TwilioRecordings } from './twilio-recordings.js';
import { listResourcesSince, toCarrierCall, toCarrierMessage } from './twilio-resources.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

type CallChanges = Parameters<ReturnType<TwilioClient['calls']>['update']>[0];

const PAGE_SIZE = 100;
/** The carrier's limit. */
const MAX_PAGE_SIZE = 1000;
/** The carrier's code for "the call is not in progress". */
const CALL_IS_OVER = 21220;
/** How the carrier names the direction of calls that were placed by its REST API. */
const PLACED = 'outbound-api';
/** "Cannot delete this resource before it is complete". */
const NOT_COMPLETE = 20009;

/**
 * An announcement that lasts longer than the time limit is reported as unknown; 59 s is the longest, 30 the default.
 */
const MACHINE_DETECTION = {
  start: { machineDetection: 'Enable' },
  'message-end': { machineDetection: 'DetectMessageEnd', machineDetectionTimeout: 59 },
};

/** Client of the carrier's REST API, or of a compatible one at `apiUrl`. */
@Injectable()
export class TwilioCarrierService implements CarrierCalls, CarrierMessages, CarrierNumbers {
  private client: Promise<TwilioClient> | null = null;
  private readonly recordings: TwilioRecordings;

  constructor(
    private readonly settings: TelephonySettings,
    private readonly urls: TwilioUrlsService,
  ) {
    this.recordings = new TwilioRecordings(settings);
  }

  placeCall({ token, ...call }: PlaceCallRequest): Promise<CarrierCall> {
    return this.ask(async (client) =>
      toCarrierCall(
        await client.calls.create({
          from: call.from,
          to: call.to,
          url: this.urls.answer(token),
          // For the first request and for that to the action URL: the same answer, which changes nothing when repeated.
          fallbackUrl: this.urls.answer(token),
          statusCallback: this.urls.status(token),
          // The request for instructions reports that it was answered.
          statusCallbackEvent: ['ringing', 'completed'],
          timeout: call.ringTimeoutSeconds,
          timeLimit: call.maxDurationSeconds,
          ...MACHINE_DETECTION[call.machineDetection],
          asyncAmd: 'true',
          asyncAmdStatusCallback: this.urls.machineDetection(token),
        }),
      ),
    );
  }

  endCall(sid: string): Promise<void> {
    return this.change(sid, { status: 'completed' });
  }

  /** By URL: a document in the request may have 4,000 characters only. */
  redirectCall(sid: string, token: string): Promise<void> {
    return this.change(sid, { url: this.urls.answer(token), fallbackUrl: this.urls.answer(token) });
  }

  fetchCall(sid: string): Promise<CarrierCall | null> {
    return this.ask(async (client) => {
      const call = await client.calls(sid).fetch().catch(nullIfNotFound);
      return call && toCarrierCall(call);
    });
  }

  /** Not filtered by start time, which a call that still waits or rings does not have. */
  listCalls(to: string, since: Date): Promise<CarrierCall[]> {
    return this.ask(async (client) => {
      const calls = await listResourcesSince(await client.calls.page({ to, pageSize: PAGE_SIZE }), since);
      return calls.filter(({ parentCallSid }) => !parentCallSid).map(toCarrierCall);
    });
  }

  listPlacedCalls(since: Date): Promise<CarrierCall[]> {
    return this.ask(async (client) => {
      const calls = await listResourcesSince(await client.calls.page({ pageSize: MAX_PAGE_SIZE }), since);
      return calls
        .filter(({ direction, parentCallSid }) => direction === PLACED && !parentCallSid)
        .map(toCarrierCall)
        .reverse();
    });
  }

  transferCalls(sid: string): Promise<CarrierCall[]> {
    return this.ask(async (client) => {
      const calls = await client.calls.list({ parentCallSid: sid, limit: PAGE_SIZE });
      return calls.map(toCarrierCall);
    });
  }

  fetchRecordingUrl(callSid: string): Promise<string | null> {
    return this.ask(async (client) => {
      const recordings = await client.calls(callSid).recordings.list({ limit: 20 }).catch(nullIfNotFound);
      const finished = recordings?.find((recording) => recording.status === 'completed');
      return finished ? this.recordingUrl(finished.sid) : null;
    });
  }

  fetchRecording(
    address: string,
    options: { range: ByteRange | null; signal: AbortSignal },
  ): Promise<RecordingAudio | { outside: number } | null> {
    return this.recordings.fetch(address, options);
  }

  async deleteRecording(address: string): Promise<void> {
    const recording = parseRecordingUrl(address);
    if (!recording) return;
    await this.ask((client) =>
      client.api.v2010
        .accounts(recording.accountSid)
        .recordings(recording.sid)
        .remove()
        .catch(nullIfNotFound),
    );
  }

  async deleteCall(sid: string): Promise<boolean> {
    const transfers = await this.transferCalls(sid);
    return this.remove(async (client) => {
      for (const one of [...transfers.map((call) => call.sid), sid])
        await client.calls(one).remove().catch(nullIfNotFound);
    });
  }

  sendSms({ token, from, to, body }: SendSmsRequest): Promise<CarrierMessage> {
    const statusCallback = this.urls.messageStatus(token);
    return this.ask(async (client) =>
      toCarrierMessage(await client.messages.create({ from, to, body, statusCallback })),
    );
  }

  deleteMessage(sid: string): Promise<boolean> {
    return this.remove((client) => client.messages(sid).remove().catch(nullIfNotFound));
  }

  listMessages(to: string, since: Date): Promise<CarrierMessage[]> {
    return this.ask(async (client) => {
      const messages = await listResourcesSince(
        await client.messages.page({ to, pageSize: PAGE_SIZE }),
        since,
      );
      return messages.map(toCarrierMessage);
    });
  }

  async removeBody(sid: string): Promise<void> {
    await this.ask((client) => client.messages(sid).update({ body: '' }).catch(nullIfNotFound));
  }

  /** The types are lists of their own; a country without one of them answers 404. */
  searchNumbers({ countryCode, contains, limit }: NumberSearch): Promise<AvailableNumber[]> {
    const options = { voiceEnabled: true, pageSize: limit, ...(contains === null ? {} : { contains }) };
    return this.ask(async (client) => {
      const country = client.availablePhoneNumbers(countryCode);
      const lists = NUMBER_TYPES.map(async (type) => {
        const numbers = (await listNumbersForSale(country, type, options).catch(nullIfNotFound)) ?? [];
        return numbers.map((number) => toAvailableNumber(number, type));
      });
      return (await Promise.all(lists)).flat();
    });
  }

  buyNumber(phoneNumber: string): Promise<CarrierNumber> {
    return this.ask(async (client) =>
      this.toNumber(await client.incomingPhoneNumbers.create({ phoneNumber, ...this.urls.numberUrls })),
    );
  }

  /** The carrier's filter also finds numbers that only contain this one. */
  findNumber(phoneNumber: string): Promise<CarrierNumber | null> {
    return this.ask(async (client) => {
      const found = await client.incomingPhoneNumbers.list({ phoneNumber, limit: PAGE_SIZE });
      const number = found.find((one) => one.phoneNumber === phoneNumber);
      return number ? this.toNumber(number) : null;
    });
  }

  listNumbers(): Promise<CarrierNumber[]> {
    return this.ask(async (client) => {
      const numbers = await client.incomingPhoneNumbers.list({ pageSize: MAX_PAGE_SIZE });
      return numbers.map((number) => this.toNumber(number));
    });
  }

  async connectNumber(sid: string): Promise<void> {
    await this.ask((client) => client.incomingPhoneNumbers(sid).update(this.urls.numberUrls));
  }

  async releaseNumber(sid: string): Promise<void> {
    await this.ask((client) => client.incomingPhoneNumbers(sid).remove().catch(nullIfNotFound));
  }

  settingsNotApplied(settings: RelaySettings): string[] {
    return settingsNotApplied(settings);
  }

  canSpeak(voiceProvider: string, language: string): boolean {
    return canSpeak(voiceProvider, language);
  }

  private toNumber(number: Parameters<typeof toCarrierNumber>[0]): CarrierNumber {
    return toCarrierNumber(number, this.urls.numberUrls);
  }

  /** The same URL as in the recording callback. */
  private recordingUrl(sid: string): string {
    const base = this.settings.apiUrl ?? 'https://api.twilio.com';
    return `${base}/2010-04-01/Accounts/${this.settings.accountSid}/Recordings/${sid}`;
  }

  private async change(sid: string, changes: CallChanges): Promise<void> {
    try {
      await this.ask((client) => client.calls(sid).update(changes));
    } catch (error) {
      if (!(error instanceof CarrierError && error.code === CALL_IS_OVER)) throw error;
    }
  }

  /** @returns false: what is to be removed is not complete */
  private async remove(request: (client: TwilioClient) => Promise<unknown>): Promise<boolean> {
    try {
      await this.ask(request);
      return true;
    } catch (error) {
      if (error instanceof CarrierError && error.code === NOT_COMPLETE) return false;
      throw error;
    }
  }

  private async ask<T>(request: (client: TwilioClient) => Promise<T>): Promise<T> {
    this.client ??= import('./twilio-request-client.js').then(({ createTwilioClient }) =>
      createTwilioClient(this.settings),
    );
    const client = await this.client;
    try {
      return await request(client);
    } catch (error) {
      throw toCarrierError(error);
    }
  }
}

function nullIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
