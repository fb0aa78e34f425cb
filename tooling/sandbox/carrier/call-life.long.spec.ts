import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { Bench } from '../sandbox.fake.js';
import { endCall, sayTo } from '../service.fake.js';

const GREETING = 'Hello, this is the assistant. How are you today?';

describe('the life of a call', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  const statuses = () =>
    bench.service.webhooks.filter(({ path }) => path.startsWith('/status')).map(({ params }) => params);

  it('passes the queue, ringing, a conversation and completion, all signed', async () => {
    const { service } = bench;
    service.answer = (path) => {
      if (path.startsWith('/answer')) {
        const record = `<Start><Recording recordingStatusCallback="${service.url}/recording/token-1"/></Start>`;
        return service.relayDocument({ welcomeGreeting: GREETING, events: 'speaker-events' }, record);
      }
      return path.startsWith('/action') ? '<Response/>' : 204;
    };
    service.talk = (frame, socket) => {
      if (frame.type === 'prompt') sayTo(socket, 'Thank you. Goodbye!');
      if (frame.type === 'info' && frame['name'] === 'agentSpeaking' && frame['value'] === 'off') {
        if (service.frames.some(({ type }) => type === 'prompt')) endCall(socket, '{"reason":"goodbye"}');
      }
    };

    const placed = await bench.call('0020');
    const sid = String(placed.body['sid']);
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ status: 'queued', price: null, direction: 'outbound-api' });
    expect(sid).toMatch(/^CA[0-9a-f]{32}$/);

    const action = await service.webhook(({ path }) => path.startsWith('/action'));
    expect(action.params).toMatchObject({
      CallSid: sid,
      CallStatus: 'in-progress',
      SessionStatus: 'ended',
      HandoffData: '{"reason":"goodbye"}',
    });
    const { CallDuration: duration, ...end } = await bench.ending();
    expect(end).toMatchObject({ CallStatus: 'completed' });
    // A started second counts; the number of seconds depends on the machine.
    expect(duration).toMatch(/^[1-9]\d*$/);
    expect((await bench.rest('GET', `/Calls/${sid}.json`)).body).toMatchObject({ duration });
    expect(statuses().map(({ CallStatus, SequenceNumber }) => [CallStatus, SequenceNumber])).toEqual([
      ['initiated', '0'],
      ['ringing', '1'],
      ['in-progress', '2'],
      ['completed', '3'],
    ]);
    const recording = await service.webhook(({ path }) => path.startsWith('/recording'));
    expect(recording.params).toMatchObject({ CallSid: sid, RecordingStatus: 'completed' });
    expect(recording.params['RecordingUrl']).toMatch(/\/Recordings\/RE[0-9a-f]{32}$/);

    expect(service.frames[0]).toMatchObject({
      type: 'setup',
      callSid: sid,
      to: '+15005550020',
      customParameters: { token: 'token-1' },
    });
    expect(service.sockets).toEqual([{ path: '/relay/token-1', signed: true }]);
    expect(service.webhooks.every(({ signed }) => signed)).toBe(true);
  });

  it('reports the price a moment after the end, as a negative amount', async () => {
    bench.service.answer = () => '<Response><Hangup/></Response>';
    // The duration of this state depends on the machine.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { body } = await bench.call('0020');
    await bench.ending();
    const fetchCall = () => bench.rest('GET', `/Calls/${String(body['sid'])}.json`);
    expect((await fetchCall()).body).toMatchObject({
      status: 'completed',
      price: null,
      duration: expect.stringMatching(/^[1-9]\d*$/),
    });
    clock.mockRestore();
    const priced = await until(async () => {
      const call = await fetchCall();
      return call.body['price'] === null ? null : call.body;
    });
    expect(priced).toMatchObject({ price: '-0.01400', price_unit: 'USD' });
  });

  it.each([
    ['0002', 'failed', '404'],
    ['0003', 'busy', '486'],
    ['6000', 'busy', '486'],
    ['7999', 'busy', '486'],
    ['0004', 'no-answer', '487'],
  ])('ends a call to %s as %s', async (digits, status, sip) => {
    await bench.call(digits, { Timeout: '1' });
    expect(await bench.ending()).toMatchObject({
      CallStatus: status,
      CallDuration: '0',
      SipResponseCode: sip,
    });
    expect(bench.service.webhooks.some(({ path }) => path.startsWith('/answer'))).toBe(false);
  });

  it('requests the action URL when the socket breaks, and continues with its response', async () => {
    const { service } = bench;
    let sessions = 0;
    service.overrides = '#rc=2&amp;rp=5xx';
    service.answer = (path) => {
      if (path.startsWith('/status')) return 204;
      // The service behind the proxy is restarting at the first request.
      if (path.startsWith('/action') && sessions === 1 && actions() === 1) return 503;
      return service.relayDocument();
    };
    const actions = () => service.webhooks.filter(({ path }) => path.startsWith('/action')).length;
    service.talk = (frame, socket) => {
      if (frame.type !== 'setup') return;
      sessions++;
      if (sessions === 1) service.breakSockets();
      else endCall(socket, 'done');
    };
    await bench.call('0022');
    const broken = await service.webhook(({ params }) => params['SessionStatus'] === 'failed');
    expect(broken.params).toMatchObject({ ErrorCode: '64105', CallStatus: 'in-progress' });
    await service.webhook(({ params }) => params['HandoffData'] === 'done');
    expect(sessions).toBe(2);
    expect(actions()).toBeGreaterThanOrEqual(3);
  });

  it('reports a socket that never opens as 64102', async () => {
    const { service } = bench;
    service.answer = (path) => {
      if (path.startsWith('/answer')) return service.relayDocument({ url: 'ws://127.0.0.1:1/closed' });
      return path.startsWith('/action') ? '<Response/>' : 204;
    };
    await bench.call('0022');
    const action = await service.webhook(({ path }) => path.startsWith('/action'));
    expect(action.params).toMatchObject({ SessionStatus: 'failed', ErrorCode: '64102' });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
  });

  it('hangs up on request, and cannot change a call that is over', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? service.relayDocument() : 204);
    const { body } = await bench.call('0022');
    await service.frame(({ type }) => type === 'setup');
    const path = `/Calls/${String(body['sid'])}.json`;
    const ended = await bench.rest('POST', path, { Status: 'completed' });
    expect(ended).toMatchObject({ status: 200, body: { status: 'completed' } });
    const action = await service.webhook((one) => one.path.startsWith('/action'));
    expect(action.params).toMatchObject({ SessionStatus: 'completed', CallStatus: 'completed' });
    expect(await bench.rest('POST', path, { Status: 'completed' })).toMatchObject({
      status: 400,
      body: { code: 21220 },
    });
  });

  it('cancels a call that still rings', async () => {
    const { body } = await bench.call('0004');
    await bench.service.webhook(({ params }) => params['CallStatus'] === 'ringing');
    await bench.rest('POST', `/Calls/${String(body['sid'])}.json`, { Status: 'canceled' });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'canceled' });
  });

  it('follows new instructions in the middle of a session', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? service.relayDocument() : 204);
    const { body } = await bench.call('0022');
    await service.frame(({ type }) => type === 'setup');
    await bench.rest('POST', `/Calls/${String(body['sid'])}.json`, {
      Twiml: '<Response><Hangup/></Response>',
    });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
  });

  it('ends a call at its time limit, in real seconds', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? service.relayDocument() : 204);
    const startedAt = Date.now();
    await bench.call('0022', { TimeLimit: '1' });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000);
  });

  it('repeats a status callback once, and no more', async () => {
    bench.service.answer = () => 500;
    await bench.call('0003', { StatusCallbackEvent: 'completed' });
    // A response is in the journal after it is read.
    const told = await until(async () => {
      const callbacks = (await bench.journal()).filter(({ kind }) => kind === 'callback');
      return callbacks.length >= 2 && callbacks;
    });
    expect(told.map(({ event, attempt, status }) => [event, attempt, status])).toEqual([
      ['status:busy', 1, 500],
      ['status:busy', 2, 500],
    ]);
  });

  it.each([
    ['0005', 'machine_start'],
    ['0036', 'machine_start'],
    ['0050', 'machine_start'],
    ['0020', 'human'],
    ['0022', 'unknown'],
  ])('accepts %s for %s', async (digits, answeredBy) => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? service.relayDocument() : 204);
    const { body } = await bench.call(digits, {
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: `${service.url}/amd/token-1`,
    });
    const detected = await service.webhook(({ path }) => path.startsWith('/amd'));
    expect(detected).toMatchObject({
      signed: true,
      params: { CallSid: body['sid'], AnsweredBy: answeredBy },
    });
  });

  it('reports a machine after its beep, then leaves the session for a document and speaks it', async () => {
    const { service } = bench;
    const spoken = `${service.url}/spoken`;
    service.answer = (path) => {
      if (path.startsWith('/answer')) return service.relayDocument();
      if (path.startsWith('/message'))
        return `<Response><Say>${GREETING}</Say><Redirect>${spoken}</Redirect></Response>`;
      return path.startsWith('/spoken') ? '<Response><Hangup/></Response>' : 204;
    };
    const { body } = await bench.call('0005', {
      MachineDetection: 'DetectMessageEnd',
      AsyncAmdStatusCallback: `${service.url}/amd/token-1`,
    });
    const { params } = await service.webhook(({ path }) => path.startsWith('/amd'));
    expect(params['AnsweredBy']).toBe('machine_end_beep');
    expect(service.frames.filter(({ type }) => type === 'prompt')).toHaveLength(1);
    await bench.rest('POST', `/Calls/${String(body['sid'])}.json`, { Url: `${service.url}/message` });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    const paths = service.webhooks.map(({ path }) => path.split('/')[1]);
    expect(paths.filter((path) => path === 'spoken' || path === 'action')).toEqual(['spoken']);
    const heard = (await bench.journal()).filter(({ kind, who }) => kind === 'speech' && who === 'assistant');
    expect(heard).toMatchObject([{ text: GREETING, heard: GREETING, whole: true }]);
  });

  it('computes the heard part of a document when the call ends in it', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path.startsWith('/answer') ? `<Response><Say>${GREETING.repeat(50)}</Say></Response>` : 204;
    await bench.call('0022', { TimeLimit: '1' });
    await bench.ending();
    const [speech] = (await bench.journal()).filter(({ kind }) => kind === 'speech');
    expect(speech).toMatchObject({ who: 'assistant', whole: false });
    expect(GREETING.repeat(50).startsWith(String(speech?.['heard']))).toBe(true);
  });

  it('ends the detection of a machine that continues for longer than the time limit', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path.startsWith('/answer') ? '<Response><Pause length="600"/></Response>' : 204;
    await bench.call('0005', {
      MachineDetection: 'DetectMessageEnd',
      MachineDetectionTimeout: '3',
      AsyncAmdStatusCallback: `${service.url}/amd/token-1`,
    });
    const { params } = await service.webhook(({ path }) => path.startsWith('/amd'));
    expect(params['AnsweredBy']).toBe('unknown');
  });

  it('hangs up when the instructions are not a document', async () => {
    bench.service.answer = (path) => (path.startsWith('/answer') ? 'Bad <Gateway' : 204);
    await bench.call('0020');
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
  });
});
