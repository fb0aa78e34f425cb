import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { partialFake } from '#src/common/partial.fake.js';
import { DrainService } from '#src/health/drain.service.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import type {
  CallInstructions,
  CarrierCallHandler,
  SessionResumption,
} from '#src/modules/telephony/carrier-reports.js';
import { registerTelephony } from '#src/modules/telephony/register-telephony.js';
import { fakeTelephonySettings } from '#src/modules/telephony/telephony.fake.js';
import { TelephonySettings } from '#src/modules/telephony/telephony-settings.js';
import { CarrierSocketService } from '#src/modules/telephony/twilio/carrier-socket.service.js';
import { TwilioCallbacksController } from '#src/modules/telephony/twilio/twilio-callbacks.controller.js';
import { TwilioSignatureService } from '#src/modules/telephony/twilio/twilio-signature.service.js';
import { TwilioUrlsService } from '#src/modules/telephony/twilio/twilio-urls.service.js';
import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../tooling/sandbox/defaults.js';
import { Bench } from '../../tooling/sandbox/sandbox.fake.js';
import { isSilence, speechBytes, SpeechDecoder } from '../../tooling/sandbox/speech/speech-code.js';

const GREETING = 'Hello – this is Ada. I repeat whatever you say, 1:1.';
const SPEED = 20;

/** Owns the calls: answers with a stream, greets, and plays back what the customer says, byte by byte. */
class Echo {
  readonly heard = new SpeechDecoder();
  text = '';
  readonly resumptions: (SessionResumption | null)[] = [];
  readonly documents: number[] = [];
  readonly events: string[] = [];
  hasEnded = false;

  /** @param rounds what the customer says so often is played back, then the line is ended */
  constructor(private readonly rounds: number) {}

  async answer(token: string, _sid: string, resumption: SessionResumption | null): Promise<CallInstructions> {
    this.resumptions.push(resumption);
    if (this.hasEnded) return { kind: 'hangup' };
    const notices = resumption ? null : { text: 'Calls are recorded.', language: 'en-US' };
    return { kind: 'stream', token, notices, record: resumption === null };
  }

  converseOverAudio(_token: string, line: AudioLine, documentAt: number): Promise<void> {
    this.documents.push(documentAt);
    let rounds = 0;
    let words = Buffer.alloc(0);
    line.play(speechBytes(GREETING, 60 / SPEED));
    line.mark('greeting');
    return new Promise((resolve) => {
      line.onEvent((event) => {
        this.note(event);
        if (event.kind === 'closed') resolve();
        if (event.kind !== 'audio') return;
        this.text += this.heard.push(event.audio);
        if (!event.audio.every(isSilence)) words = Buffer.concat([words, event.audio]);
        else if (words.length > 0 && this.heard.silentMs >= 200) {
          if ((rounds += 1) > this.rounds) return this.end(line);
          line.play(words);
          words = Buffer.alloc(0);
        }
      });
    });
  }

  private end(line: AudioLine): void {
    this.hasEnded = true;
    line.end('goodbye');
  }

  private note(event: AudioLineEvent): void {
    if (event.kind !== 'audio') this.events.push(event.kind === 'mark' ? event.name : event.kind);
  }
}

describe("a call over the carrier's media stream", () => {
  let bench: Bench;
  let app: NestFastifyApplication;
  let echo: Echo;

  beforeEach(async () => {
    bench = await Bench.start({ speed: SPEED });
  });
  afterEach(async () => {
    await bench.stop();
    await app.close();
  });

  async function callWith(rounds: number, digits: string): Promise<void> {
    echo = new Echo(rounds);
    const settings = fakeTelephonySettings({
      accountSid: SANDBOX_ACCOUNT_SID,
      authToken: SANDBOX_AUTH_TOKEN,
    });
    const drain = partialFake<DrainService>({ registerCallCount: () => undefined });
    const module = await Test.createTestingModule({
      controllers: [TwilioCallbacksController],
      providers: [
        CarrierGatewayService,
        CarrierSocketService,
        TwilioSignatureService,
        TwilioUrlsService,
        { provide: TelephonySettings, useValue: settings },
        { provide: DrainService, useValue: drain },
      ],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { bodyParser: false });
    registerTelephony(app.getHttpAdapter().getInstance());
    app.get(CarrierGatewayService).setCallHandler(
      partialFake<CarrierCallHandler>({
        planAnsweredCall: (...request) => echo.answer(...request),
        runAudioConversation: (...call) => echo.converseOverAudio(...call),
        expectsSocket: async (token) => token === 'token-1',
        applyReport: async () => undefined,
      }),
    );
    await app.listen(0, '127.0.0.1');
    settings.publicUrl = await app.getUrl();
    await bench.call(digits, { Url: `${settings.publicUrl}/telephony/answer/token-1` });
  }

  const said = async (who: string) =>
    (await bench.journal()).filter((entry) => entry.kind === 'speech' && entry['who'] === who);

  it('transmits both voices to the byte, and ends with a matching record', async () => {
    await callWith(2, '0020');
    await bench.ending();
    const customer = (await said('callee')).map(({ text }) => String(text));
    expect(customer).toHaveLength(3);
    expect(echo.text).toBe(customer.join(''));
    expect(echo.heard.unrecognised).toBe(0);
    const assistant = (await said('assistant')).map(({ text }) => text);
    expect(assistant).toEqual(['Calls are recorded.', GREETING, customer[0], customer[1]]);
    expect(echo.events).toEqual(['greeting', 'closed']);
    expect(echo.resumptions).toEqual([null, { defaultVoice: false, isOver: false }]);
    const faults = (await bench.journal()).filter(({ kind }) => kind === 'refusal' || kind === 'socket-lost');
    expect(faults).toEqual([]);
  });

  it('continues over the stream of a new document when the socket breaks', async () => {
    await callWith(1, '0033');
    await bench.ending();
    const [first, second] = echo.documents;
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(Date.now() - 60_000);
    expect(echo.resumptions).toEqual([null, ...Array.from({ length: 2 }, () => expect.anything())]);
    expect(echo.events.filter((event) => event === 'closed')).toHaveLength(2);
    expect((await said('assistant')).map(({ whole }) => whole)).toContain(false);
  });
});
