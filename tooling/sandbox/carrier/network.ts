import { setMaxListeners } from 'node:events';
import { calleeOf, persona } from '../callees/callees.js';
import type { Journal } from '../journal.js';
import type { ClockSpeed } from '../clock-speed.js';
import { TraitBook } from '../traits/trait-book.js';
import { rememberCall, rememberedCalls } from './call-memory.js';
import type { CallOrder } from './call-order.js';
import { newCall, type CallRecord, type CallWebhooks } from './call-record.js';
import type { CallHandle, CarrierContext } from './carrier-context.js';
import { LiveCall } from './live-call.js';
import { newMessage, type MessageOrder, type MessageRecord } from './message-record.js';
import { dialOut } from './outbound-call.js';
import { OwnedNumbers } from './owned-numbers.js';
import { RestError } from './rest-error.js';
import { sendMessage } from './send-message.js';
import { Webhooks } from './webhooks.js';

export interface NetworkSettings {
  accountSid: string;
  authToken: string;
  clockSpeed: ClockSpeed;
  journal: Journal;
  publicUrl: string;
  /** Voice URL of the calls to the account's numbers. */
  voiceUrl: string | null;
  /** Status callback URL of their end. */
  statusCallback: string | null;
  /** Time for which instructions are requested while the service does not respond; 0: as the carrier does. */
  patienceMs: number;
}

/** A service that stops with its carrier is available again within this time. */
const RESTART_MS = 60_000;

/** The simulated telephone network with all calls and messages, newest first. */
export class Network implements CarrierContext {
  readonly accountSid: string;
  readonly authToken: string;
  readonly clockSpeed: ClockSpeed;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly numbers: OwnedNumbers;
  readonly traits = new TraitBook();
  publicUrl: string;
  /** These three: for calls to numbers without a purchase, which have no URLs of their own. */
  voiceUrl: string | null;
  statusCallback: string | null;
  fallbackUrl: string | null = null;

  private readonly stop = new AbortController();
  private readonly callsBySid = new Map<string, CallRecord>();
  private readonly messagesBySid = new Map<string, MessageRecord>();
  private readonly live = new Map<string, LiveCall>();

  constructor(settings: NetworkSettings) {
    this.accountSid = settings.accountSid;
    this.authToken = settings.authToken;
    this.clockSpeed = settings.clockSpeed;
    this.journal = settings.journal;
    this.numbers = new OwnedNumbers(settings.journal);
    this.publicUrl = settings.publicUrl;
    this.voiceUrl = settings.voiceUrl;
    this.statusCallback = settings.statusCallback;
    // Every request and wait of every call uses this signal.
    setMaxListeners(0, this.closing);
    this.webhooks = new Webhooks(settings, this.closing);
    this.recall();
  }

  get closing(): AbortSignal {
    return this.stop.signal;
  }

  /** Accepts the call, even when the response does not arrive. */
  placeCall(order: CallOrder): CallRecord {
    const callee = calleeOf(order.to);
    if (callee.callError !== null) throw new RestError(callee.callError);
    const record = newCall('outbound-api', order.from, order.to);
    this.journal.write('dial', record, { limitSeconds: order.limitSeconds });
    const { statusCallback: url, statusEvents: events, fallbackUrl } = order;
    const call = this.begin(new LiveCall(this, record, callee, { url, events, fallbackUrl }));
    dialOut(call, order).catch((error: unknown) => call.fail(error));
    return record;
  }

  /** Calls one of the account's numbers; the scenario is that of `digits`, else of the caller's number. */
  receiveCall(from: string, to: string, voiceUrl: string, digits?: string): CallRecord {
    const callee = digits === undefined ? calleeOf(from) : persona(digits);
    const record = newCall('inbound', from, to);
    record.startedAt = new Date();
    this.journal.write('inbound', record);
    const { statusCallback: url, voiceFallbackUrl: fallbackUrl } = this.numbers.withNumber(to) ?? {
      statusCallback: this.statusCallback,
      voiceFallbackUrl: this.fallbackUrl,
    };
    const events = new Set(['completed']);
    const call = this.begin(new LiveCall(this, record, callee, { url, events, fallbackUrl }));
    call.follow({ url: voiceUrl, event: 'incoming' }).catch((error: unknown) => call.fail(error));
    return record;
  }

  dial(record: CallRecord, urls: CallWebhooks): CallHandle {
    this.journal.write('dial', record, { parent: record.parentCallSid });
    return this.begin(new LiveCall(this, record, calleeOf(record.to), urls));
  }

  sendMessage(order: MessageOrder): MessageRecord {
    const callee = calleeOf(order.to);
    if (callee.messageError !== null) throw new RestError(callee.messageError);
    const message = newMessage(order);
    this.messagesBySid.set(message.sid, message);
    this.journal.write('message', message);
    // Rejects only when the carrier stops.
    sendMessage(this, message, order, callee).catch(() => undefined);
    return message;
  }

  call(sid: string): CallRecord {
    return this.callsBySid.get(sid) ?? notFound();
  }

  message(sid: string): MessageRecord {
    return this.messagesBySid.get(sid) ?? notFound();
  }

  /** A running call; a finished one can no longer be changed. */
  liveCall(sid: string): LiveCall {
    const call = this.live.get(this.call(sid).sid);
    if (call === undefined) throw new RestError(21220);
    return call;
  }

  /** Of a call that is over. */
  deleteCall(sid: string): void {
    const { endedAt } = this.call(sid);
    if (endedAt === null) throw new RestError(20009);
    this.callsBySid.delete(sid);
    this.journal.forget(sid);
  }

  deleteMessage(sid: string): void {
    if (!['delivered', 'undelivered'].includes(this.message(sid).status)) throw new RestError(20009);
    this.messagesBySid.delete(sid);
    this.journal.forget(sid);
  }

  calls(): CallRecord[] {
    return [...this.callsBySid.values()].reverse();
  }

  messages(): MessageRecord[] {
    return [...this.messagesBySid.values()].reverse();
  }

  changed(record: CallRecord, urls: CallWebhooks): void {
    rememberCall(this.journal, { record, urls });
  }

  ended(sid: string): void {
    this.live.delete(sid);
  }

  async close(): Promise<void> {
    this.stop.abort();
    for (const call of this.live.values()) call.drop();
    this.live.clear();
    await this.webhooks.close();
  }

  /**
   * The calls of an earlier process: its running calls end with it, which is reported after the start of the service.
   */
  private recall(): void {
    const entries = this.journal.all();
    const stoppedAt = new Date(entries.at(-1)?.at ?? 0);
    for (const { record, urls } of rememberedCalls(entries)) {
      this.callsBySid.set(record.sid, record);
      if (record.endedAt !== null) continue;
      // Only to report the end: the call has no callee.
      const call = new LiveCall(this, record, calleeOf(record.to), urls);
      call.finish(record.answered ? 'completed' : 'no-answer', { at: stoppedAt, patienceMs: RESTART_MS });
    }
  }

  private begin(call: LiveCall): LiveCall {
    this.changed(call.record, call.urls);
    this.callsBySid.set(call.record.sid, call.record);
    this.live.set(call.record.sid, call);
    return call;
  }
}

function notFound(): never {
  throw new RestError(20404);
}
