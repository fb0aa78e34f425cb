import { setTimeout as sleep } from 'node:timers/promises';
import type { Instructions } from './call-order.js';
import type { CallHandle } from './carrier-context.js';
import { dial } from './dial-verb.js';
import { Playback } from './playback.js';
import { startRecording } from './recording.js';
import { connectRelay, relayOf } from './relay-verb.js';
import { connectStream, streamOf } from './stream-verb.js';
import { parseTwiml, type Verb } from './twiml.js';

/** Maximum number of consecutive connection attempts without a session; the call ends afterwards. */
const MAX_FAILED_CONNECTS = 5;
const RECONNECT_DELAY_MS = 250;

/** The carrier's code for a document that cannot be fetched. */
const DOCUMENT_ERROR = '11200';

/** After a verb: continue with the next one, stop, or continue with other instructions. */
type Step = 'next' | 'stop' | Instructions;

/** Fetches and follows answer documents until one of them ends the call. */
export class DocumentRunner {
  private segment = new AbortController();
  private redirected: Instructions | null = null;
  private failedConnects = 0;
  private isFirstSession = true;

  constructor(private readonly call: CallHandle) {}

  redirect(instructions: Instructions): void {
    this.redirected = instructions;
    this.segment.abort();
  }

  async run(first: Instructions): Promise<void> {
    let current: Instructions | null = first;
    while (current !== null) {
      this.segment = new AbortController();
      const signal = AbortSignal.any([this.call.over, this.segment.signal]);
      try {
        current = await this.follow(current, signal);
      } catch (error) {
        if (this.call.over.aborted || this.redirected === null) throw error;
        current = this.redirected;
        this.redirected = null;
      }
    }
  }

  private async follow(instructions: Instructions, signal: AbortSignal): Promise<Instructions | null> {
    for (const verb of await this.load(instructions, signal)) {
      const step = await this.execute(verb, signal);
      if (step === 'stop') return null;
      if (step !== 'next') return step;
    }
    return null;
  }

  /** Empty when none can be fetched: the carrier plays an apology and hangs up. */
  private async load(instructions: Instructions, signal: AbortSignal): Promise<Verb[]> {
    const own = await this.read(instructions, signal);
    if (own !== null) return own;
    const { carrier, record, urls } = this.call;
    const url = urls.fallbackUrl;
    const asked = 'url' in instructions ? instructions : null;
    if (asked !== null && url !== null) {
      const params = { ...asked.params, ErrorCode: DOCUMENT_ERROR, ErrorUrl: asked.url };
      const fallback = await this.read({ url, event: 'fallback', params }, signal);
      if (fallback !== null) return fallback;
    }
    carrier.journal.write('refusal', record, { what: 'document', why: 'An application error has occurred.' });
    return [];
  }

  private async read(instructions: Instructions, signal: AbortSignal): Promise<Verb[] | null> {
    if ('twiml' in instructions) return parseTwiml(instructions.twiml);
    const { url, event, params } = instructions;
    const document = await this.call.carrier.webhooks.instructions(
      { event, url, subject: this.call.record, params: this.call.params(params) },
      signal,
    );
    return document === null ? null : parseTwiml(document);
  }

  private async execute(verb: Verb, signal: AbortSignal): Promise<Step> {
    if (!this.call.record.answered) {
      if (verb.name === 'Reject') return this.reject(verb);
      this.call.answer(Number.POSITIVE_INFINITY);
    }
    const { clockSpeed } = this.call.carrier;
    switch (verb.name) {
      case 'Start':
        startRecording(this.call, verb);
        return 'next';
      case 'Say':
        await this.say(verb.text, signal);
        return 'next';
      case 'Pause':
        await clockSpeed.sleep(Number(verb.attributes['length'] ?? 1) * 1000, signal);
        return 'next';
      case 'Redirect':
        return { url: verb.text, event: 'redirect' };
      case 'Dial':
        return this.dial(verb, signal);
      case 'Connect':
        return this.connect(verb, signal);
      default:
        // `<Hangup/>`, a late `<Reject/>`, and verbs that the sandbox does not implement.
        return 'stop';
    }
  }

  /** Rejects when the signal aborts; speech up to that time counts as played. */
  private async say(text: string, signal: AbortSignal): Promise<void> {
    const { line, carrier } = this.call;
    await new Promise<void>((resolve) => {
      const playback = new Playback(carrier.clockSpeed, {
        started: () => line.assistantStarted(),
        ended: (speech) => {
          line.assistantEnded(speech);
          resolve();
        },
      });
      if (text === '' || signal.aborted) return resolve();
      signal.addEventListener('abort', () => playback.stop(), { once: true });
      playback.add(text, true, { interruptible: 'none', preemptible: false });
    });
    signal.throwIfAborted();
  }

  private reject(verb: Verb): Step {
    this.call.finish(verb.attributes['reason'] === 'busy' ? 'busy' : 'failed');
    return 'stop';
  }

  private async dial(verb: Verb, signal: AbortSignal): Promise<Step> {
    const params = await dial(this.call, verb, signal);
    const action = verb.attributes['action'];
    return action === undefined ? 'next' : { url: action, event: 'dial-action', params };
  }

  private async connect(verb: Verb, signal: AbortSignal): Promise<Step> {
    const relay = relayOf(verb);
    const noun = relay ?? streamOf(verb);
    if (noun === null) return 'stop';
    const { faults } = this.call.callee;
    const { sessionError } = faults;
    const later = sessionError?.everySession ? sessionError : null;
    const forSession = this.isFirstSession
      ? faults
      : { ...faults, firstSocket: 'holds' as const, sessionError: later };
    this.isFirstSession = false;
    const connect = relay === null ? connectStream : connectRelay;
    const { params, connected } = await connect(this.call, verb, noun, forSession, signal);
    this.failedConnects = connected ? 0 : this.failedConnects + 1;
    if (this.failedConnects >= MAX_FAILED_CONNECTS) return 'stop';
    if (!connected) await sleep(RECONNECT_DELAY_MS * this.failedConnects, undefined, { signal });
    const action = verb.attributes['action'];
    if (action !== undefined) return { url: action, event: 'action', params };
    return params['SessionStatus'] === 'failed' ? 'stop' : 'next';
  }
}
