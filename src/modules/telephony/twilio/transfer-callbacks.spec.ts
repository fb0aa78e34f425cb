import { beforeEach, describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { CallInstructions, CarrierCallHandler } from '../carrier-reports.js';
import { fakeRelaySettings, fakeTelephonySettings } from '../telephony.fake.js';
import { NO_SESSION_BREAKS } from './session-breaks.js';
import { TwilioCallbacksController } from './twilio-callbacks.controller.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const PLAN: CallInstructions = { kind: 'converse', token: 'tok', settings: fakeRelaySettings() };
const FORM = { CallSid: 'CA1', CallStatus: 'in-progress' };

let callbacks: TwilioCallbacksController;
let told: unknown[];
let reports: unknown[];

beforeEach(() => {
  told = [];
  reports = [];
  const gateway = new CarrierGatewayService();
  gateway.setCallHandler(
    partialFake<CarrierCallHandler>({
      planAfterSession: async (...ended) => (told.push(ended), PLAN),
      applyReport: async (report) => void reports.push(report),
    }),
  );
  gateway.setTransferHandler({
    applyTransferReport: async (...report) => void told.push(report),
    planAfterTransfer: async (...question) => (told.push(question), PLAN),
  });
  const urls = new TwilioUrlsService(fakeTelephonySettings());
  callbacks = new TwilioCallbacksController(
    gateway,
    urls,
    partialFake<DrainService>({ refusesIncomingCalls: false }),
  );
});

describe('callbacks about transfers', () => {
  it('answer with what follows a session that the service ended, in a document of its own', async () => {
    const form = { ...FORM, HandoffData: '{"reason":"transferred"}' };
    const earlier = { resumedAt: [1, 2], defaultVoice: true };
    expect(await callbacks.planAfterSession('tok', form, earlier)).toMatch(
      /action\/tok\?resumed=\d{13}&amp;voice=default#/,
    );
    expect(told).toEqual([['tok', 'transferred', true]]);
    const over = { ...form, CallStatus: 'completed' };
    expect(await callbacks.planAfterSession('tok', over, NO_SESSION_BREAKS)).toContain('<Hangup/>');
    expect(reports).toEqual([{ token: 'tok', sid: 'CA1', status: 'completed' }]);
  });

  it.each([
    ['in-progress', 'completed', ['answered', { defaultVoice: false, isOver: false }], 0],
    ['in-progress', 'no-answer', ['no-answer', { defaultVoice: false, isOver: false }], 0],
    ['completed', 'canceled', ['canceled', null], 1],
  ] as const)(
    'ask how a call (%s) continues whose person has left (%s)',
    async (status, dialled, asked, ends) => {
      const form = { ...FORM, CallStatus: status, DialCallStatus: dialled };
      expect(await callbacks.planAfterTransfer('tok', 7, form, NO_SESSION_BREAKS)).toMatch(
        /relay\/tok\/\d{13}"/,
      );
      expect(told).toEqual([['tok', 7, ...asked]]);
      expect(reports).toHaveLength(ends);
    },
  );

  it('ask at the fallback URLs too, without the result of the transfer', async () => {
    const ErrorUrl = 'https://calls.example.com/telephony/transfer/tok/7?voice=default#rc=5&rp=all';
    await callbacks.planAnsweredCall('tok', { ...FORM, ErrorUrl });
    await callbacks.planIncomingCall({ ...FORM, ErrorUrl });
    const asked = ['tok', 7, null, { defaultVoice: true, isOver: false }];
    expect(told).toEqual([asked, asked]);
  });

  it('forward the status of the call to a person, once that is decided', async () => {
    for (const CallStatus of ['ringing', 'in-progress', 'busy']) {
      await callbacks.applyTransferStatus('tok', 7, { CallSid: 'CA2', ParentCallSid: 'CA1', CallStatus });
    }
    expect(told).toEqual([
      ['tok', 7, 'answered'],
      ['tok', 7, 'busy'],
    ]);
  });
});
