import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { ApiErrorFilter } from '#src/http/errors/api-error.filter.js';
import { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { CallInstructions, CallReport, MessageReport } from '../carrier-reports.js';
import { registerTelephony } from '../register-telephony.js';
import { fakeRelaySettings, fakeTelephonySettings } from '../telephony.fake.js';
import { TelephonySettings } from '../telephony-settings.js';
import { TwilioCallbacksController } from './twilio-callbacks.controller.js';
import { TwilioSignatureService } from './twilio-signature.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

@Controller('api')
class OtherController {
  @Post()
  take(): string {
    return 'taken';
  }
}

const settings = fakeTelephonySettings({ publicUrl: 'https://calls.example.com/' });
let app: NestFastifyApplication;
let asked: unknown[];
let reports: (CallReport | MessageReport)[];
let ended: [token: string, reason: string][];
let spoken: string[];
let plan: CallInstructions;
let drain: { refusesIncomingCalls: boolean };

beforeEach(async () => {
  asked = [];
  reports = [];
  ended = [];
  spoken = [];
  drain = { refusesIncomingCalls: false };
  plan = { kind: 'converse', token: 'tok', settings: fakeRelaySettings() };
  const module = await Test.createTestingModule({
    controllers: [TwilioCallbacksController, OtherController],
    providers: [
      CarrierGatewayService,
      TwilioSignatureService,
      TwilioUrlsService,
      { provide: TelephonySettings, useValue: settings },
      { provide: DrainService, useValue: drain },
    ],
  }).compile();
  app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { bodyParser: false });
  registerTelephony(app.getHttpAdapter().getInstance());
  app.useGlobalFilters(new ApiErrorFilter());
  const report = async (told: CallReport | MessageReport) => void reports.push(told);
  const answer = async (...question: unknown[]) => (asked.push(question), plan);
  app.get(CarrierGatewayService).setMessageHandler({ applyReport: report });
  app.get(CarrierGatewayService).setCallHandler({
    planAnsweredCall: answer,
    planIncomingCall: answer,
    applyReport: report,
    shouldHangUp: async () => true,
    onMessageSpoken: async (token) => void spoken.push(token),
    planAfterSession: async (token, reason) => (ended.push([token, reason]), { kind: 'hangup' }),
    runConversation: async () => undefined,
    runAudioConversation: async () => undefined,
    expectsSocket: async () => true,
  });
  await app.listen(0, '127.0.0.1');
});

afterEach(() => app.close());

async function post(path: string, form: Record<string, string>, signature?: string): Promise<Response> {
  const signed = getExpectedTwilioSignature(settings.authToken, `https://calls.example.com${path}`, form);
  return fetch((await app.getUrl()) + path, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature ?? signed },
    body: new URLSearchParams(form),
  });
}

describe('callbacks of the carrier', () => {
  it('answers a signed request with TwiML', async () => {
    const response = await post('/telephony/answer/tok', { CallSid: 'CA1', CallStatus: 'in-progress' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(await response.text()).toContain('wss://calls.example.com/telephony/relay/tok');
    expect(asked).toEqual([['tok', 'CA1', null]]);
  });

  it('sends an empty response to a message to a number', async () => {
    const response = await post('/telephony/incoming-sms', { MessageSid: 'SM1', Body: 'Hello' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/xml/),
    ]);
    expect(await response.text()).toMatch(/<Response\/>$/);
  });

  it.each([
    ['a wrong signature', 'AAAA'],
    ['no signature', ''],
  ])('refuses %s before any handler runs', async (_, signature) => {
    const response = await post('/telephony/answer/tok', { CallSid: 'CA1' }, signature);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
    expect(asked).toEqual([]);
  });

  it('refuses a form that is changed after signing', async () => {
    const signature = getExpectedTwilioSignature(
      settings.authToken,
      'https://calls.example.com/telephony/status/tok',
      {
        CallSid: 'CA1',
      },
    );
    const response = await post(
      '/telephony/status/tok',
      { CallSid: 'CA1', CallStatus: 'completed' },
      signature,
    );
    expect(response.status).toBe(403);
    expect(reports).toEqual([]);
  });

  it.each([
    ['spoken/tok', {}],
    ['answer/tok', { ErrorUrl: 'https://calls.example.com/telephony/spoken/tok' }],
  ])('hangs up after the last text is spoken (%s)', async (path, form) => {
    const response = await post(`/telephony/${path}`, { CallSid: 'CA1', ...form });
    expect(await response.text()).toContain('<Response><Hangup/></Response>');
    expect([spoken, asked]).toEqual([['tok'], []]);
  });

  it('routes an incoming call', async () => {
    plan = { kind: 'reject', busy: false };
    const response = await post('/telephony/incoming', {
      CallSid: 'CA2',
      From: '+15550001',
      To: '+15550002',
    });
    expect(await response.text()).toContain('<Reject/>');
    expect(asked).toEqual([[{ sid: 'CA2', from: '+15550001', to: '+15550002' }]]);
  });

  it('continues when the socket broke, hangs up after our own end', async () => {
    const lost = await post('/telephony/action/tok', {
      CallSid: 'CA1',
      CallStatus: 'in-progress',
      SessionStatus: 'failed',
      ErrorCode: '64105',
    });
    expect(await lost.text()).toMatch(/action\/tok\?resumed=\d{13}#rc=5&amp;rp=all".*<ConversationRelay/);
    expect(asked).toEqual([['tok', 'CA1', { defaultVoice: false, isOver: false }]]);
    const over = { CallSid: 'CA1', CallStatus: 'in-progress', HandoffData: '{"reason":"goodbye"}' };
    expect(await (await post('/telephony/action/tok', over)).text()).toContain('<Hangup/>');
    expect(asked).toHaveLength(1);
    expect(ended).toEqual([['tok', 'goodbye']]);
  });

  it.each(['{"reason":5}', 'no JSON'])('reads no reason from %s', async (HandoffData) => {
    const answer = await post('/telephony/action/tok', {
      CallSid: 'CA1',
      CallStatus: 'in-progress',
      HandoffData,
    });
    expect(await answer.text()).toContain('<Hangup/>');
    expect(ended).toEqual([]);
  });

  it('counts breaks by the URL that it sent to the carrier', async () => {
    const now = Date.now();
    const path = `/telephony/action/tok?resumed=${now - 3},${now - 2},${now - 1}&voice=default`;
    await post(path, { CallSid: 'CA1', CallStatus: 'in-progress', ErrorCode: '64105' });
    expect(asked).toEqual([['tok', 'CA1', { defaultVoice: true, isOver: true }]]);
  });

  it.each(['/telephony/answer/tok', '/telephony/incoming'])(
    'resumes at %s in place of the action URL',
    async (path) => {
      const now = Date.now();
      const ErrorUrl = `https://calls.example.com/telephony/action/tok?resumed=${now - 2},${now - 1}#rc=5&rp=all`;
      const answer = await post(path, {
        CallSid: 'CA1',
        CallStatus: 'in-progress',
        ErrorCode: '11200',
        ErrorUrl,
      });
      expect(asked).toEqual([['tok', 'CA1', { defaultVoice: false, isOver: false }]]);
      expect(await answer.text()).toMatch(/resumed=\d{13},\d{13},\d{13}#/);
    },
  );

  it('responds again when its first response is lost', async () => {
    const ErrorUrl = 'https://calls.example.com/telephony/answer/tok#rc=5&rp=all';
    await post('/telephony/answer/tok', {
      CallSid: 'CA1',
      CallStatus: 'in-progress',
      ErrorCode: '11200',
      ErrorUrl,
    });
    expect(asked).toEqual([['tok', 'CA1', null]]);
  });

  it('reports a hang-up that the action callback reports first', async () => {
    await post('/telephony/action/tok', {
      CallSid: 'CA1',
      CallStatus: 'completed',
      SessionStatus: 'completed',
    });
    expect(reports).toEqual([{ token: 'tok', sid: 'CA1', status: 'completed' }]);
  });

  it.each([
    [
      '/telephony/status/tok',
      { CallSid: 'CA1', CallStatus: 'completed', CallDuration: '42', SequenceNumber: '3' },
      { token: 'tok', sid: 'CA1', status: 'completed', durationSeconds: 42 },
    ],
    [
      '/telephony/status',
      { CallSid: 'CA9', CallStatus: 'completed' },
      { token: null, sid: 'CA9', status: 'completed' },
    ],
    ['/telephony/amd/tok', { CallSid: 'CA1', AnsweredBy: 'machine_start' }, { answeredBy: 'machine' }],
    ['/telephony/amd/tok', { CallSid: 'CA1', AnsweredBy: 'human' }, { answeredBy: 'human' }],
    ['/telephony/amd/tok', { CallSid: 'CA1' }, { answeredBy: 'unknown' }],
    [
      '/telephony/recording/tok',
      { CallSid: 'CA1', RecordingUrl: 'https://r/1' },
      { recordingUrl: 'https://r/1' },
    ],
    [
      '/telephony/sms-status/tok',
      { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' },
      { token: 'tok', sid: 'SM1', status: 'failed', errorCode: 30003 },
    ],
  ])('forwards %s', async (path, form, expected) => {
    const response = await post(path, form);
    expect(response.status).toBe(204);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject(expected);
  });

  it('reports nothing about a recording that has only begun', async () => {
    await post('/telephony/recording/tok', {
      CallSid: 'CA1',
      RecordingUrl: 'https://r/1',
      RecordingStatus: 'in-progress',
    });
    expect(reports).toEqual([]);
  });

  it('refuses a callback without a call', async () => {
    expect((await post('/telephony/status/tok', { CallStatus: 'completed' })).status).toBe(400);
  });

  it('accepts forms on this route only, and no large ones', async () => {
    expect((await post('/api', { a: 'b' })).status).toBe(415);
    expect((await post('/telephony/status/tok', { a: 'x'.repeat(70_000) })).status).toBe(413);
  });
});
