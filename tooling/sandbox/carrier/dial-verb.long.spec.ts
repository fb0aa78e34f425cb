import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';

describe('<Dial>', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  /** Calls a silent callee, who connects to the person; the action URL responds with `<Hangup/>`. */
  async function dial(to: string, attributes = '', callee = '0022'): Promise<string> {
    const { service } = bench;
    const number = `<Number statusCallback="${service.url}/person" statusCallbackEvent="answered completed">${to}</Number>`;
    service.answer = (path) => {
      if (path.startsWith('/answer'))
        return `<Response><Dial action="${service.url}/dialled" ${attributes}>${number}</Dial></Response>`;
      return path === '/dialled' ? '<Response><Hangup/></Response>' : 204;
    };
    return String((await bench.call(callee)).body['sid']);
  }
  const dialled = async () => (await bench.service.webhook(({ path }) => path === '/dialled')).params;
  const reports = () =>
    bench.service.webhooks.filter(({ path }) => path === '/person').map(({ params }) => params);

  it('connects both, who hear each other, as a call of its own below the first one', async () => {
    const sid = await dial('+15005550041', '', '0020');
    const params = await dialled();
    expect(params).toMatchObject({
      CallSid: sid,
      CallStatus: 'in-progress',
      DialCallStatus: 'completed',
      DialBridged: 'true',
      // A started second counts; the number of seconds depends on the machine.
      DialCallDuration: expect.stringMatching(/^[1-9]\d*$/),
    });
    await bench.service.webhook(
      ({ path, params: { CallStatus } }) => path.startsWith('/status') && CallStatus === 'completed',
    );
    await bench.service.until(() => (reports().length === 2 ? true : undefined));
    expect(reports()).toMatchObject(
      ['in-progress', 'completed'].map((CallStatus) => ({
        CallSid: params['DialCallSid'],
        ParentCallSid: sid,
        CallStatus,
        From: '+14155550100',
        To: '+15005550041',
      })),
    );
    const { body } = await bench.rest('GET', `/Calls.json?ParentCallSid=${sid}`);
    expect(body['calls']).toMatchObject([
      { sid: params['DialCallSid'], parent_call_sid: sid, direction: 'outbound-dial', status: 'completed' },
    ]);
    const journal = await bench.journal();
    const said = journal.filter(({ kind, reported }) => kind === 'speech' && reported === false);
    expect(said.map(({ sid: of, text }) => [of === sid, text])).toEqual([
      [false, 'Service desk, this is Robin. How can I help you?'],
      [true, 'Hello, this is Alex Morgan speaking. May I ask what this is about?'],
      [false, 'I have taken care of it. Goodbye!'],
    ]);
  });

  it.each([
    ['0003', 'busy'],
    ['0002', 'failed'],
    ['0004', 'no-answer'],
  ])('reports to the action URL that %s is unavailable: %s', async (digits, status) => {
    await dial(`+1500555${digits}`, 'timeout="1"');
    const params = await dialled();
    expect(params).toMatchObject({ CallStatus: 'in-progress', DialCallStatus: status, DialBridged: 'false' });
    expect(params).not.toHaveProperty('DialCallDuration');
    await bench.service.until(() => reports().at(-1));
    expect(reports()).toMatchObject([{ CallStatus: status }]);
  });

  it.each([
    ['+15005550041', 'callerId="+14155550199"', '13214: Invalid callerId value'],
    ['+15005550001', '', '13224: Invalid phone number'],
    ['5550041', '', '13224: Invalid phone number'],
  ])('places no call for %s %s', async (to, attributes, why) => {
    const sid = await dial(to, attributes);
    expect(await dialled()).toMatchObject({ DialCallStatus: 'failed' });
    const journal = await bench.journal();
    expect(journal.filter(({ kind }) => kind === 'refusal')).toMatchObject([{ sid, what: 'dial', why }]);
    expect(journal.filter(({ kind }) => kind === 'dial')).toHaveLength(1);
  });

  it('ends the call to the person at the time limit', async () => {
    // Silent: stays until the end.
    await dial('+15005550022', 'timeLimit="1"');
    expect(await dialled()).toMatchObject({ DialCallStatus: 'completed', CallStatus: 'in-progress' });
  });

  it('ends with the first call, and reports it', async () => {
    const sid = await dial('+15005550004');
    await bench.service.webhook(
      ({ path, params }) => path.startsWith('/status') && params['CallStatus'] === 'in-progress',
    );
    await bench.rest('POST', `/Calls/${sid}.json`, { Status: 'completed' });
    expect(await dialled()).toMatchObject({ CallStatus: 'completed', DialCallStatus: 'canceled' });
    const { body } = await bench.rest('GET', `/Calls.json?ParentCallSid=${sid}`);
    expect(body['calls']).toMatchObject([{ status: 'canceled', price: null }]);
  });
});
