import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import type { TestLead } from '../factories/lead.js';
import { baseUrl } from '../support/client.js';
import { database } from '../support/database.js';

/** docs/use/imports.md, through every entrance of numbers and files. */
interface Report {
  imported: number;
  duplicates: number;
  invalid: number;
  errors: { line: number; field: string; message: string }[];
}

let user: TestAccount;
let assistant: number;

beforeAll(async () => {
  user = await anAccount({ plan: 'unlimited' });
  assistant = await anAssistant(user);
});

const campaign = (fields: Record<string, unknown> = {}): Promise<number> =>
  aCampaign(user, { assistant_id: assistant, ...fields });

async function upload(
  path: string,
  file: string | Buffer,
  fields: Record<string, string> = {},
): Promise<Report> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))], { type: 'text/csv' }), 'file.csv');
  const { status, body } = await user.client.send<{ data: Report }>('POST', path, form);
  expect(status).toBe(200);
  return body.data;
}

const importLeads = (id: number, file: string | Buffer): Promise<Report> =>
  upload('/user/leads/import', file, { campaign_id: `\uFEFF${id}` });

const numbersOf = async (id: number): Promise<string[]> =>
  (await user.client.get<TestLead[]>(`/user/leads?campaign_id=${id}`)).body
    .map(({ phone_number }) => phone_number)
    .reverse();

const SPREADSHEET =
  'The phone number field was changed by a spreadsheet: format its column as text, and enter the number again.';

describe('a number that a spreadsheet damaged', () => {
  it('is refused or repaired in an import, line by line', async () => {
    const id = await campaign();
    const cells = [
      '+14155550101.0',
      '4155550102.0',
      '4.15555E+09',
      '#N/A',
      '="+14155550103"',
      '+4930901820.5',
    ];
    const report = await importLeads(
      id,
      `Phone,name\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}",x`).join('\n')}`,
    );
    expect([report.imported, report.errors]).toEqual([
      3,
      [4, 5, 7].map((line) => ({ line, field: 'phone_number', message: SPREADSHEET })),
    ]);
    expect(await numbersOf(id)).toEqual(['+14155550101', '+14155550102', '+14155550103']);
  });

  it('is refused at every other endpoint', async () => {
    const phone_number = '4.9301234567E+11';
    const id = await campaign();
    const lead = await user.client.post<{ data: TestLead }>('/user/lead', {
      phone_number: '+14155550104.0',
      campaign_id: id,
    });
    expect(lead.body.data.phone_number).toBe('+14155550104');
    const errors = async (method: 'post' | 'put', path: string, body: object) => {
      const answer = await user.client[method]<{ errors?: Record<string, string[]> }>(path, body);
      return [answer.status, answer.body.errors];
    };
    const refused = [422, { phone_number: [SPREADSHEET] }];
    expect(await errors('post', '/user/lead', { phone_number, campaign_id: id })).toEqual(refused);
    expect(await errors('put', `/user/leads/${lead.body.data.id}`, { phone_number })).toEqual(refused);
    expect(await errors('post', '/user/suppressions', { phone_number })).toEqual(refused);
    const contacts = {
      phone_number: '+14155550105',
      campaign_id: id,
      secondary_contacts: [{ phone_number: '#REF!' }],
    };
    expect(await errors('post', '/user/lead', contacts)).toEqual([
      422,
      { 'secondary_contacts.0.phone_number': [SPREADSHEET] },
    ]);
    const transfer_numbers = [
      { name: 'sales', phone_number: '+14155550106/+14155550107', description: 'Sales' },
    ];
    expect(await errors('post', '/user/assistant', assistantBody({ transfer_numbers }))).toEqual([
      422,
      {
        'transfer_numbers.0.phone_number': ['The phone number field must be one phone number, not several.'],
      },
    ]);
    const call = await user.client.post('/user/make_call', { assistant_id: assistant, phone_number });
    expect(call.status).toBe(400);
    const sms = await user.client.post('/user/sms', {
      from: user.phoneNumber.id,
      to: phone_number,
      body: 'Hello',
    });
    expect(sms.status).toBe(400);
    const purchase = await user.client.post('/user/phone-numbers/purchase', { phone_number });
    expect(purchase.status).toBe(422);
    const file = `Telefon;reason\n${phone_number};x\n+14155550108.0;x\n`;
    expect(await upload('/user/suppressions/import', file)).toMatchObject({ imported: 1, invalid: 1 });
  });
});

describe('a number that is written in two ways', () => {
  const OLD = '+5215512345678';
  const TODAY = '+525512345678';

  it('is one number for leads, suppressions, calls, messages and filters', async () => {
    const id = await campaign();
    const add = (phone_number: string) => user.client.post('/user/lead', { phone_number, campaign_id: id });
    expect((await add(TODAY)).status).toBe(200);
    expect((await add(OLD)).status).toBe(422);
    expect(await importLeads(id, `phone_number\n${OLD}\n`)).toMatchObject({ duplicates: 1 });
    expect(
      (await user.client.post<{ data: object }>('/user/suppressions', { phone_number: OLD })).body.data,
    ).toMatchObject({
      phone_number: TODAY,
    });
    expect(await upload('/user/suppressions/import', `phone_number\n${TODAY}\n`)).toMatchObject({
      duplicates: 1,
    });
    for (const phone_number of [OLD, TODAY, '0052 1 55 1234 5678']) {
      const call = await user.client.post('/user/make_call', { assistant_id: assistant, phone_number });
      expect([call.status, call.body]).toEqual([
        422,
        { message: 'The phone number is on the suppression list.' },
      ]);
      const query = encodeURIComponent(phone_number);
      for (const path of [`/user/leads?campaign_id=${id}&phone_number=`, '/user/suppressions?phone_number='])
        expect(
          (await user.client.get<TestLead[]>(`${path}${query}`)).body.map((row) => row.phone_number),
        ).toEqual([TODAY]);
    }
    const sms = await user.client.post<{ data: object }>('/user/sms', {
      from: user.phoneNumber.id,
      to: OLD,
      body: 'Hello',
    });
    expect(sms.body.data).toMatchObject({ to: TODAY });
  });
});

describe('files of spreadsheets and CRMs', () => {
  it.each([
    ['sep=;', 'sep=;\r\nphone_number;name\r\n+14155550111;Ada\r\n'],
    ['sep=, behind a byte order mark', '\uFEFFsep=,\r\nphone_number,name\r\n+14155550111,Ada\r\n'],
    ['Unicode text', Buffer.from('\uFEFFphone_number\tname\r\n+14155550111\tAda\r\n', 'utf16le')],
    [
      'Unicode text, the other order',
      Buffer.from('\uFEFFphone_number\tname\r\n+14155550111\tAda\r\n', 'utf16le').swap16(),
    ],
    ['tabs', 'phone_number\tname\n+14155550111\tAda\n'],
    ['|', '"Phone Number"|"name"\n"+14155550111"|"Ada"\n'],
  ])('are read: %s', async (_, file) => {
    const id = await campaign();
    expect(await importLeads(id, file)).toEqual({ imported: 1, duplicates: 0, invalid: 0, errors: [] });
    const { body } = await user.client.get<TestLead[]>(`/user/leads?campaign_id=${id}`);
    expect(body).toMatchObject([{ phone_number: '+14155550111', variables: { name: 'Ada' } }]);
  });

  it.each([
    ['timezone', 'America/New_York'],
    ['Time Zone', ' America/New_York '],
    ['Timezone', 'Eastern Standard Time'],
    ['time_zone', '(GMT-05:00) Eastern Time (US & Canada)'],
    ['TIME-ZONE', 'us_slash_eastern'],
  ])('name time zones: %s, %s', async (column, zone) => {
    const id = await campaign();
    expect(await importLeads(id, `Phone Number,${column}\n+14155550112,${zone}\n`)).toMatchObject({
      imported: 1,
      errors: [],
    });
    const { rows } = await database().query('SELECT zone FROM leads WHERE campaign_id = $1', [id]);
    expect(rows).toEqual([{ zone: 'America/New_York@US' }]);
  });

  it('report it when a stored lead will not be called', async () => {
    const id = await campaign();
    const report = await importLeads(
      id,
      'phone_number,Timezone\n+14155550113,somewhere\n+14155550114,\n+14155550115,UTC\n',
    );
    const message = 'The timezone field names no time zone: the lead is stored, but not called.';
    expect(report).toEqual({
      imported: 3,
      duplicates: 0,
      invalid: 0,
      errors: [{ line: 2, field: 'timezone', message }],
    });
    const variables = { timezone: 'somewhere' };
    const lead = await user.client.post<{ data: TestLead }>('/user/lead', {
      phone_number: '+14155550116',
      campaign_id: id,
      variables,
    });
    expect(lead.body.data.last_outcome).toBe('no_timezone');
  });

  it('are refused completely with the reason', async () => {
    const id = await campaign();
    const refusal = async (file: string | Buffer): Promise<unknown> => {
      const form = new FormData();
      form.append('campaign_id', String(id));
      form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'file.csv');
      const { status, body } = await user.client.send<{ errors: { file: string[] } }>(
        'POST',
        '/user/leads/import',
        form,
      );
      return [status, body.errors?.file];
    };
    expect(await refusal(Buffer.from('PK\x03\x04rest', 'latin1'))).toEqual([
      422,
      ['The file field must be text, not a spreadsheet: save it as CSV.'],
    ]);
    expect(await refusal(Buffer.from('phone_number,Stra\xdfe\n', 'latin1'))).toEqual([
      422,
      ['The file field must be text in UTF-8 or UTF-16.'],
    ]);
    for (const end of ['\u0085', '\u2028', '\u2029'])
      expect(await refusal(`phone_number,name${end}+14155550118,Ada${end}`)).toEqual([
        422,
        ['The file field must have lines that end with CR, LF or both.'],
      ]);
    expect(await refusal(`phone_number${',a'.repeat(200)}\n`)).toEqual([
      422,
      ['The file field must not have more than 200 columns.'],
    ]);
  });

  it('of another kind end early', async () => {
    const id = await campaign();
    const report = await importLeads(id, `phone_number\n${'x\n'.repeat(21_000)}`);
    expect([report.imported, report.invalid, report.errors.at(-1)?.message]).toEqual([
      0,
      1_001,
      'The first 1000 lines are invalid; nothing was read from here on.',
    ]);
    const wide = await importLeads(id, `phone_number,a\n+14155550117,${','.repeat(1_000_000)}\n`);
    expect(wide.errors.map(({ message }) => message)).toEqual([
      'The line is too long, or a quote is not closed; nothing was read from here on.',
    ]);
  });
});

describe('a JSON body after a byte order mark', () => {
  it('is read', async () => {
    const send = (body: string) =>
      fetch(`${baseUrl()}/api/user/suppressions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json; charset=utf-8' },
        body,
      });
    const answer = await send('\uFEFF{"phone_number":"+14155550118"}');
    expect(answer.status).toBe(200);
    expect((await send('\uFEFF[]')).status).toBe(400);
  });
});
