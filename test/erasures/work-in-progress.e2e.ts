import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aNumber, type TestLead } from '../factories/lead.js';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';
import type { ErasureJob } from '../support/erasure-bench.js';
import { HeldRows } from '../support/held-rows.js';
import { balanceOf, DELIVERED, type Sms } from '../support/sms.js';
import { until } from '../support/until.js';

interface Imported {
  data: {
    imported: number;
    duplicates: number;
    invalid: number;
    errors: { line: number; field: string; message: string }[];
  };
}

const RULE = 'has a number whose erasure was requested during the import';
const MAIN = `The phone number field ${RULE}.`;
const CONTACT = `The secondary contacts field ${RULE}: the contact is left out.`;

describe('an erasure that is requested during other work', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount();
  });

  const erase = (number: string) =>
    user.client.post<{ data: ErasureJob }>('/user/erasures', { phone_number: number });
  const jobWhen = ({ body }: Answer<{ data: ErasureJob }>, isSo: (job: ErasureJob) => boolean) =>
    until(async () => {
      const answer = await user.client.get<{ data: ErasureJob }>(`/user/erasures/${body.data.id}`);
      return isSo(answer.body.data) ? answer.body.data : null;
    });
  const isDone = ({ status }: ErasureJob): boolean => status === 'done';
  const send = (key: Record<string, string> = {}) =>
    user.client.post<{ message: string; data: Sms }>(
      '/user/sms',
      { from: user.phoneNumber.id, to: DELIVERED, body: 'Good day!' },
      key,
    );
  const importOf = (path: string, header: string, lines: string[], fields: object = {}) => {
    const form = new FormData();
    form.append('file', new Blob([[header, ...lines].join('\n')]), 'people.csv');
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    return user.client.send<Imported>('POST', path, form);
  };
  const several = (count: number): string[] => Array.from({ length: count }, aNumber);

  /** Requests one behind the other what waits for the locks, and releases them. */
  async function inOrder<A, B>(
    held: HeldRows,
    first: () => Promise<Answer<A>>,
    second: () => Promise<Answer<B>>,
  ): Promise<[Answer<A>, Answer<B>]> {
    let answered = 0;
    const sent = <T>(answer: Promise<T>): Promise<T> => answer.finally(() => answered++);
    const waiting = (count: number) =>
      until(async () => answered > 0 || (await held.countWaiting()) === count);
    const one = sent(first());
    await waiting(1);
    const two = sent(second());
    await waiting(2);
    await held.release();
    return Promise.all([one, two]);
  }

  /** On a busy machine a statement waits for too long, which is a 503: tried again with other numbers. */
  const conclusive = <T extends { erased: Answer<{ data: ErasureJob }>; answer: Answer<unknown> }>(
    attempt: () => Promise<T>,
  ): Promise<T> =>
    until(async () => {
      const result = await attempt();
      if (result.erased.status === 503 || result.answer.status === 503) return null;
      await jobWhen(result.erased, isDone);
      return result;
    });

  it('is in time for a message that is being sent: nothing is sent, charged or stored', async () => {
    const account = async () => [
      (await user.client.get<{ total: number }>('/user/sms')).body.total,
      await balanceOf(user),
    ];
    const { before, answer } = await conclusive(async () => {
      const now = await account();
      const held = await HeldRows.take('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [user.id]);
      const [erased, sent] = await inOrder(
        held,
        () => erase(DELIVERED),
        () => send(),
      );
      return { before: now, erased, answer: sent };
    });
    const refused = { message: 'The phone number is on the suppression list.' };
    expect([answer.status, answer.body]).toEqual([400, refused]);
    expect(await account()).toEqual(before);
  });

  it('keeps the rest of an import from storing the number, which a new import may store', async () => {
    const { answer, campaign_id, person, run } = await conclusive(async () => {
      const campaign = await aCampaign(user);
      const [erasedOne, contact, last] = [aNumber(), aNumber(), aNumber()];
      // The first batch has 250 lines.
      const lines = [...several(250), `${erasedOne},${contact}`, `${contact},${erasedOne}`, last];
      const held = await HeldRows.take('SELECT pg_advisory_xact_lock($1, $2)', [
        ADVISORY_LOCKS.campaignSleep,
        campaign,
      ]);
      const header = 'phone_number,secondary_phone_1';
      const request = () => importOf('/user/leads/import', header, lines, { campaign_id: campaign });
      const [imported, erased] = await inOrder(held, request, () => erase(erasedOne));
      return { erased, answer: imported, campaign_id: campaign, person: erasedOne, run: request };
    });
    expect(answer.body.data).toEqual({
      imported: 252,
      duplicates: 0,
      invalid: 1,
      errors: [
        { line: 252, field: 'phone_number', message: MAIN },
        { line: 253, field: 'secondary_contacts', message: CONTACT },
      ],
    });
    const path = `/user/leads?campaign_id=${campaign_id}`;
    const leads = await user.client.get<TestLead[]>(path);
    expect(leads.body).toHaveLength(252);
    expect(leads.text).not.toContain(person);
    const again = await run();
    expect(again.body.data).toEqual({ imported: 1, duplicates: 252, invalid: 0, errors: [] });
    expect((await user.client.get(path)).text).toContain(person);
  });

  it('keeps the rest of an import of suppressions from storing the number', async () => {
    const { answer, person, last } = await conclusive(async () => {
      const [first, erasedOne, behind] = [aNumber(), aNumber(), aNumber()];
      // The first batch has 500 lines.
      const lines = [first, ...several(499), erasedOne, behind];
      const held = await HeldRows.take(
        `INSERT INTO suppressions (account_id, phone_number, source) VALUES ($1, $2, 'api')`,
        [user.id, first],
      );
      const request = () => importOf('/user/suppressions/import', 'phone_number', lines);
      const [imported, erased] = await inOrder(held, request, () => erase(erasedOne));
      return { erased, answer: imported, person: erasedOne, last: behind };
    });
    expect(answer.body.data).toEqual({
      imported: 501,
      duplicates: 0,
      invalid: 1,
      errors: [{ line: 502, field: 'phone_number', message: MAIN }],
    });
    const listed = await user.client.get('/user/suppressions');
    expect([listed.text.includes(last), listed.text.includes(person)]).toEqual([true, false]);
  });

  it('waits for a request whose answer will be stored for its key, and erases the answer', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    expect((await send(key)).status).toBe(200);
    const row = `account_id = ${user.id} AND key = '${key['Idempotency-Key']}'`;
    const { rows } = await database().query<{ body: string }>(
      `SELECT body FROM idempotency_keys WHERE ${row}`,
    );
    // As it is until the process has stored the answer.
    await database().query(
      `UPDATE idempotency_keys SET status_code = NULL, body = NULL, locked_until = now() + interval '1 hour' WHERE ${row}`,
    );
    const erased = await erase(DELIVERED);
    await jobWhen(erased, (job) => job.waits_for === 'requests' || isDone(job));
    await database().query(`UPDATE idempotency_keys SET status_code = 200, body = $1 WHERE ${row}`, [
      rows[0]?.body,
    ]);
    await jobWhen(erased, isDone);
    expect(await send(key)).toMatchObject({
      status: 422,
      body: { message: 'This Idempotency-Key was used with another request.' },
    });
  });
});
