import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Bench } from '../sandbox.fake.js';

const FOLDER = process.env['ORACLES_DIR'] ?? join(process.cwd(), '..', 'shared', 'oracles');
const FILE = join(FOLDER, 'twilio-api-v2010-subset.json');

interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
  >;
  components: object;
}

/** The description has `nullable` without a type, which Ajv refuses: any value is accepted there. */
function untypedAnything(_key: string, value: unknown): unknown {
  const untyped = typeof value === 'object' && value !== null && 'nullable' in value && !('type' in value);
  return untyped ? {} : value;
}

if (!existsSync(FILE)) {
  describe('responses beside the published description', () => {
    it(`is skipped: there is no ${FILE}, name its folder in ORACLES_DIR`, () => {
      expect(existsSync(FILE)).toBe(false);
    });
  });
} else {
  describe('responses beside the published description', () => {
    const { paths, components } = JSON.parse(readFileSync(FILE, 'utf8'), untypedAnything) as Description;
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: {
        uri: (text: string) => URL.canParse(text, 'https://api.example.com'),
        'uri-map': true,
        'date-time-rfc-2822': (text: string) =>
          /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/.test(text) && !Number.isNaN(Date.parse(text)),
        'phone-number': /^\+\d+$/,
        currency: /^[A-Z]{3}$/,
        int32: true,
        'http-method': true,
        'phone-number-capabilities': true,
      },
    });
    let bench: Bench;
    let sid: string;
    let messageSid: string;
    let numberSid: string;

    beforeAll(async () => {
      bench = await Bench.start();
      const { service } = bench;
      service.answer = (path) =>
        path.startsWith('/answer')
          ? '<Response><Start><Recording/></Start><Pause length="1"/><Hangup/></Response>'
          : 204;
      sid = String((await bench.call('0020')).body['sid']);
      const sent = await bench.rest('POST', '/Messages.json', {
        To: '+15005550007',
        From: '+14155550100',
        Body: 'Hi',
      });
      messageSid = String(sent.body['sid']);
      const bought = await bench.rest('POST', '/IncomingPhoneNumbers.json', { PhoneNumber: '+14152345679' });
      numberSid = String(bought.body['sid']);
      await bench.ending();
    });
    afterAll(() => bench.stop());

    /** Validates one response; a field outside of the description is a fault, too. */
    async function check(
      method: 'GET' | 'POST',
      path: string,
      template: string,
      form?: Record<string, string>,
    ) {
      const { status, body } = await bench.rest(method, path, form);
      const operation = paths[`/2010-04-01/Accounts/{AccountSid}${template}`]?.[method.toLowerCase()];
      const schema = operation?.responses[status]?.content['application/json']?.schema;
      expect(schema).toBeDefined();
      const validate = ajv.compile({ ...schema, components });
      validate(body);
      expect(validate.errors ?? []).toEqual([]);
      return body;
    }

    const numbers = { To: '+15005550004', From: '+14155550100' };

    it.each([
      ['POST', '/Calls.json', '/Calls.json', { ...numbers, Url: 'https://example.com/answer' }],
      ['GET', '/Calls.json?PageSize=1', '/Calls.json', undefined],
      ['GET', '/Calls/CALL.json', '/Calls/{Sid}.json', undefined],
      ['GET', '/Calls/CALL/Recordings.json', '/Calls/{CallSid}/Recordings.json', undefined],
      ['POST', '/Messages.json', '/Messages.json', { ...numbers, Body: 'Hello' }],
      ['GET', '/Messages.json', '/Messages.json', undefined],
      ['GET', '/Messages/MESSAGE.json', '/Messages/{Sid}.json', undefined],
      ['POST', '/Messages/MESSAGE.json', '/Messages/{Sid}.json', { Body: '' }],
      ['POST', '/IncomingPhoneNumbers.json', '/IncomingPhoneNumbers.json', { PhoneNumber: '+14152345678' }],
      ['GET', '/IncomingPhoneNumbers.json', '/IncomingPhoneNumbers.json', undefined],
      ['GET', '/IncomingPhoneNumbers/NUMBER.json', '/IncomingPhoneNumbers/{Sid}.json', undefined],
    ] as const)('match for %s %s', async (method, path, template, form) => {
      const asked = path.replace('CALL', sid).replace('MESSAGE', messageSid).replace('NUMBER', numberSid);
      await check(method, asked, template, form);
    });

    it('have every field of the description for a call, a recording and a message', async () => {
      const fields = (name: string) =>
        Object.keys(
          (components as { schemas: Record<string, { properties: object }> }).schemas[name]?.properties ?? {},
        ).sort();
      const call = await bench.rest('GET', `/Calls/${sid}.json`);
      expect(Object.keys(call.body).sort()).toEqual(fields('api.v2010.account.call'));
      const message = await bench.rest('GET', `/Messages/${messageSid}.json`);
      expect(Object.keys(message.body).sort()).toEqual(fields('api.v2010.account.message'));
      const { body } = await bench.rest('GET', `/Calls/${sid}/Recordings.json`);
      const [recording] = body['recordings'] as object[];
      expect(Object.keys(recording ?? {}).sort()).toEqual(fields('api.v2010.account.call.call_recording'));
    });
  });
}
