import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { baseUrl, Client } from '../support/client.js';

interface Report {
  imported: number;
  duplicates: number;
  invalid: number;
  errors: { line: number; field: string; message: string }[];
}

interface Imported {
  message: string;
  data: Report;
  errors?: Record<string, string[]>;
}

const PATH = '/user/leads/import';
const INVALID = 'The given data was invalid.';

describe('importing leads', () => {
  let one: TestAccount;
  let other: TestAccount;

  const form = (csv: string | Uint8Array<ArrayBuffer>, fields: Record<string, unknown>): FormData => {
    const data = new FormData();
    // The file first: what it belongs to is known only after it was read.
    data.append('file', new Blob([csv], { type: 'text/csv' }), 'leads.csv');
    for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
    return data;
  };
  const send = (csv: string | Uint8Array<ArrayBuffer>, fields: Record<string, unknown>) =>
    one.client.send<Imported>('POST', PATH, form(csv, fields));
  const report = async (
    csv: string | Uint8Array<ArrayBuffer>,
    fields: Record<string, unknown>,
  ): Promise<Report> => {
    const { status, body } = await send(csv, fields);
    const [dry, real] = ['File checked, no leads were imported', 'Leads imported successfully'];
    expect([status, body.message]).toEqual([200, fields['dry_run'] ? dry : real]);
    return body.data;
  };
  const leadsOf = async (campaign: number): Promise<TestLead[]> =>
    (await one.client.get<TestLead[]>(`/user/leads?campaign_id=${campaign}`)).body.reverse();
  const good = (imported: number): Report => ({ imported, duplicates: 0, invalid: 0, errors: [] });

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it('imports numbers, contacts, and all other columns as variables', async () => {
    const campaign_id = await aCampaign(one);
    const [first, second, contact, last] = [aNumber(), aNumber(), aNumber(), aNumber()];
    const csv = [
      'name,phone_number,secondary_phone_2,secondary_phone_1,constructor',
      `Ada,${first},${last},${contact},as given`,
      `,${second},,,`,
    ].join('\n');
    expect(await report(csv, { campaign_id })).toEqual(good(2));
    expect(await leadsOf(campaign_id)).toMatchObject([
      {
        phone_number: first,
        status: 'created',
        variables: { name: 'Ada', constructor: 'as given' },
        secondary_contacts: [
          { phone_number: contact, status: 'created', variables: {} },
          { phone_number: last, status: 'created', variables: {} },
        ],
      },
      { phone_number: second, variables: { name: '', constructor: '' }, secondary_contacts: [] },
    ]);
  });

  it('reports with dry_run what an import would do, and stores nothing', async () => {
    const campaign_id = await aCampaign(one);
    const [known, fresh, again] = [aNumber(), aNumber(), aNumber()];
    await aLead(one, campaign_id, { phone_number: known });
    const lines = [known, `${fresh},somewhere`, '12', again, again, 'nobody'];
    const csv = `phone_number,timezone\n${lines.join('\n')}\n`;
    const before = await leadsOf(campaign_id);

    const judged = await report(csv, { campaign_id, dry_run: 'true' });
    expect(judged).toMatchObject({
      imported: 2,
      duplicates: 2,
      invalid: 2,
      errors: [{ line: 3, field: 'timezone' }, { line: 4 }, { line: 7, field: 'phone_number' }],
    });
    expect(await leadsOf(campaign_id)).toEqual(before);
    expect(await report(csv, { campaign_id })).toEqual(judged);
    expect(await report(csv, { campaign_id, allow_dupplicate: '1', dry_run: '1' })).toMatchObject({
      imported: 4,
      duplicates: 0,
    });
  });

  it('lists up to max_errors errors, 100 without it', async () => {
    const campaign_id = await aCampaign(one);
    const csv = `phone_number\n${'x\n'.repeat(150)}`;
    const count = async (fields: object): Promise<number> =>
      (await report(csv, { campaign_id, ...fields })).errors.length;
    expect([await count({}), await count({ max_errors: 120 }), await count({ max_errors: 1 })]).toEqual([
      100, 120, 1,
    ]);
  });

  it('reads exports of spreadsheets: byte order mark, semicolons, quotes, line breaks, empty lines', async () => {
    const campaign_id = await aCampaign(one);
    const [first, second] = [aNumber(), aNumber()];
    const csv = `\uFEFF"Phone Number";"note, long";name\r\n${first};"a; ""b""\r\nc";Zoë\r\n\r\n;;\r\n${second};d,e; f \r\n`;
    expect(await report(csv, { campaign_id })).toEqual(good(2));
    expect(
      (await leadsOf(campaign_id)).map(({ phone_number, variables }) => [phone_number, variables]),
    ).toEqual([
      [first, { 'note, long': 'a; "b"\r\nc', name: 'Zoë' }],
      [second, { 'note, long': 'd,e', name: 'f' }],
    ]);
  });

  it('reads national numbers in the country of the account', async () => {
    const campaign_id = await aCampaign(one);
    expect(await report('phone_number\n(415) 555-0167', { campaign_id })).toEqual(good(1));
    expect((await leadsOf(campaign_id))[0]?.phone_number).toBe('+14155550167');
  });

  it('imports valid lines and reports the others with line and field', async () => {
    const campaign_id = await aCampaign(one);
    const [first, second] = [aNumber(), aNumber()];
    const rows = [
      `${first},x,`,
      'nobody,x,',
      `,x,`,
      `${aNumber()},"two`,
      `lines",12`,
      `${aNumber()},x,,more`,
      `${second},x,${second}`,
      `${second},x,`,
    ];
    const csv = ['phone_number,name,secondary_phone_1', ...rows].join('\n');
    expect(await report(csv, { campaign_id })).toEqual({
      imported: 2,
      duplicates: 0,
      invalid: 5,
      errors: [
        { line: 3, field: 'phone_number', message: 'The phone number field must be a valid phone number.' },
        { line: 4, field: 'phone_number', message: 'The phone number field is required.' },
        {
          line: 5,
          field: 'secondary_phone_1',
          message: 'The secondary phone 1 field must be a valid phone number.',
        },
        { line: 7, field: 'file', message: 'The file field has more values in this line than columns.' },
        {
          line: 8,
          field: 'secondary_phone_1',
          message: 'The secondary phone 1 field must differ from the main lead and from the other contacts.',
        },
      ],
    });
    expect((await leadsOf(campaign_id)).map(({ phone_number }) => phone_number)).toEqual([first, second]);
  });

  it('counts duplicates, or imports them when they are allowed', async () => {
    const campaign_id = await aCampaign(one);
    const { phone_number } = await aLead(one, campaign_id);
    const fresh = aNumber();
    const csv = `phone_number,n\n${phone_number},1\n${fresh},2\n${fresh},3\n`;
    expect(await report(csv, { campaign_id })).toEqual({ ...good(1), duplicates: 2 });
    expect(await report(csv, { campaign_id })).toEqual({ ...good(0), duplicates: 3 });
    expect(await report(csv, { campaign_id, allow_dupplicate: '1' })).toEqual(good(3));
    expect((await send(csv, { campaign_id, allow_dupplicate: 'yes' })).body.errors).toEqual({
      allow_dupplicate: ['The allow dupplicate field must be true or false.'],
    });
    expect(await report(csv, { campaign_id, allow_dupplicate: 'false' })).toMatchObject({ duplicates: 3 });
    const kept = (await leadsOf(campaign_id)).map(({ variables }) => variables.n);
    expect(kept).toEqual([undefined, '2', '1', '2', '3']);
  });

  it('imports a number once, also when the same file is uploaded twice at the same time', async () => {
    const campaign_id = await aCampaign(one);
    const numbers = Array.from({ length: 600 }, aNumber);
    const reports = await Promise.all([
      report(`phone_number\n${numbers.join('\n')}`, { campaign_id }),
      report(`phone_number\n${numbers.toReversed().join('\n')}`, { campaign_id }),
    ]);
    expect(reports.map(({ imported, duplicates }) => imported + duplicates)).toEqual([600, 600]);
    expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(600);
  });

  it('lists the first hundred errors and counts the rest', async () => {
    const campaign_id = await aCampaign(one);
    const result = await report(`phone_number\n${'x\n'.repeat(250)}`, { campaign_id });
    expect([result.invalid, result.errors.length, result.errors.at(-1)?.line]).toEqual([250, 100, 101]);
  });

  it('stops at the first unreadable line and reports it', async () => {
    const campaign_id = await aCampaign(one);
    const csv = `phone_number,name\n${aNumber()},a\n${aNumber()},"b\n${aNumber()},c\n`;
    const message = 'The line has a quote that is not closed; nothing was read from here on.';
    expect(await report(csv, { campaign_id })).toEqual({
      ...good(1),
      invalid: 1,
      errors: [{ line: 3, field: 'file', message }],
    });
  });

  it('refuses text that is not UTF-8', async () => {
    const campaign_id = await aCampaign(one);
    const csv = Buffer.from(`phone_number,name\n${aNumber()},Zo\xeb\n`, 'latin1');
    expect((await report(new Uint8Array(csv), { campaign_id })).errors).toEqual([
      { line: 2, field: 'name', message: 'The name field contains invalid characters.' },
    ]);
  });

  it.each([
    ['', 'The file field must not be empty.'],
    ['name,email\nAda,a@example.com', 'The file field must have a column named phone_number.'],
    ['phone_number,Phone Number\n1,2', 'The file field must not have two columns named phone_number.'],
    ['phone_number,__proto__\n1,2', 'The file field must not have a column named __proto__.'],
  ])('refuses the file %j', async (csv, message) => {
    const { status, body } = await send(csv, { campaign_id: await aCampaign(one) });
    expect([status, body]).toEqual([422, { message: INVALID, errors: { file: [message] } }]);
  });

  it('with an Idempotency-Key imports a file once, and refuses another file with the same key', async () => {
    const campaign_id = await aCampaign(one);
    const csv = `phone_number\n${aNumber()}`;
    const keyed = (text: string, fields: Record<string, unknown> = {}, key = `import-${campaign_id}`) =>
      one.client.send<Imported>('POST', PATH, form(text, { campaign_id, ...fields }), {
        'Idempotency-Key': key,
      });
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => keyed(csv)));
    expect(atOnce.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const again = await keyed(csv);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body.data).toEqual(good(1));
    for (const refused of [
      await keyed(`${csv}\n${aNumber()}`),
      await keyed(csv, { allow_dupplicate: '1' }),
    ]) {
      expect([refused.status, refused.body.message]).toEqual([
        422,
        'This Idempotency-Key was used with another request.',
      ]);
    }
    expect(await leadsOf(campaign_id)).toHaveLength(1);
    expect((await keyed(`phone_number\n${aNumber()}`, {}, `next-${campaign_id}`)).body.data).toEqual(good(1));
  });

  it('requires a file and a campaign of the user', async () => {
    const data = new FormData();
    data.append('file', '/etc/hostname');
    const missing = await one.client.send<Imported>('POST', PATH, data);
    expect([missing.status, missing.body]).toEqual([
      422,
      {
        message: INVALID,
        errors: {
          file: ['The file field is required.'],
          campaign_id: ['The campaign id field is required.'],
        },
      },
    ]);
    for (const campaign_id of [await aCampaign(other), 2_147_483_000]) {
      const { status, body } = await send(`phone_number\n${aNumber()}`, { campaign_id });
      const errors = { campaign_id: ['The selected campaign id is invalid.'] };
      expect([status, body]).toEqual([422, { message: INVALID, errors }]);
    }
  });

  it('accepts multipart forms on this route only, and no other content type', async () => {
    const campaign_id = await aCampaign(one);
    const unsupported = [415, { message: 'Unsupported Media Type' }];
    for (const path of ['/user/lead', '/user/campaigns', '/user/suppressions']) {
      const headers = { Authorization: `Bearer ${one.token}` };
      const answer = await fetch(`${baseUrl()}/api${path}`, {
        method: 'POST',
        headers,
        body: form('x', { campaign_id }),
      });
      expect([path, answer.status, await answer.json()]).toEqual([path, ...unsupported]);
    }
    const json = await one.client.post(PATH, { campaign_id });
    expect([json.status, json.body]).toEqual(unsupported);
    const broken = await one.client.send('POST', PATH, 'not a form', {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    expect([broken.status, broken.body]).toEqual([
      400,
      { message: 'The request body is not a valid multipart form.' },
    ]);
    const answer = await new Client(null).send('POST', PATH, form('x', { campaign_id }));
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });
});
