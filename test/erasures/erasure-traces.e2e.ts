import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { deliveriesOf, deliveryWhen } from '../factories/webhook.js';
import { database } from '../support/database.js';
import type { ErasureJob } from '../support/erasure-bench.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Callees of the sandbox. */
const BUSY = '+15005550003';
const POLITE = '+15005550020';
const SHOP = { Hours: 'The shop is open from nine to six on weekdays. On Saturdays it closes at noon.' };
const UNKNOWN = 'Which elephants do zebras recommend?';
const KNOWN = 'When does the shop close on Saturdays?';

let user: TestAccount;

beforeEach(async () => {
  user = await anAccount({ plan: 'unlimited' });
});

async function jobOf(kind: 'erasures' | 'exports', phone_number: string): Promise<ErasureJob> {
  const { body: made } = await user.client.post<{ data: ErasureJob }>(`/user/${kind}`, { phone_number });
  const job = await until(async () => {
    const { body } = await user.client.get<{ data: ErasureJob }>(`/user/${kind}/${made.data.id}`);
    return ['done', 'failed'].includes(body.data.status) ? body.data : null;
  });
  expect(job).toMatchObject({ status: 'done', error: null });
  return job;
}

describe('an erasure of somebody who asked questions', () => {
  const replyingWith = (knowledgebase_id: number): Promise<number> =>
    anAssistant(user, { calls_direction: 'receive', knowledgebase_id });
  const listOf = async (base: number): Promise<(string | number)[][]> => {
    const { body } = await user.client.get<{ data: { question: string; times_asked: number }[] }>(
      `/user/knowledgebases/${base}/unanswered`,
    );
    return body.data.map(({ question, times_asked }) => [question, times_asked]);
  };
  const askedIn = async (base: number): Promise<number> =>
    (await listOf(base)).reduce((sum, [, times]) => sum + Number(times), 0);

  async function ask(assistant_id: number, customer_identifier: string, message: string): Promise<void> {
    const fields = { assistant_id, customer_identifier, message };
    const { status, text } = await user.client.post('/user/ai/generate-reply', fields);
    if (status !== 200) throw new Error(text);
  }
  /** Until it is listed: a search of a busy machine goes on after the answer. */
  async function askInVain(base: number, assistant: number, who: string, message = UNKNOWN): Promise<void> {
    const before = await askedIn(base);
    await ask(assistant, who, message);
    await until(async () => (await askedIn(base)) > before);
  }

  it('removes what the person asked, in the base where it was, and nothing that others asked', async () => {
    const [person, other] = [aNumber(), aNumber()];
    const [shop, empty] = [await aKnowledgeBase(user, SHOP), await aKnowledgeBase(user, {})];
    const [ofShop, ofEmpty] = [await replyingWith(shop), await replyingWith(empty)];
    await askInVain(shop, ofShop, person);
    await askInVain(shop, ofShop, other);
    await askInVain(empty, ofEmpty, other);
    // The shop answers it.
    await ask(ofShop, person, KNOWN);
    await askInVain(empty, ofEmpty, other, KNOWN);
    expect(await listOf(shop)).toEqual([[UNKNOWN, 2]]);
    const { counts } = await jobOf('erasures', person);
    expect(counts['questions']).toBe(1);
    expect(await listOf(shop)).toEqual([[UNKNOWN, 1]]);
    expect(await listOf(empty)).toEqual([
      [KNOWN, 1],
      [UNKNOWN, 1],
    ]);
  });

  it('removes it also when the arguments of the search are stored no more', async () => {
    const person = aNumber();
    const shop = await aKnowledgeBase(user, SHOP);
    await askInVain(shop, await replyingWith(shop), person);
    await database().query(
      `UPDATE chat_turns SET function_calls = '[]' WHERE chat_id IN (SELECT id FROM chats WHERE account_id = $1)`,
      [user.id],
    );
    expect((await jobOf('erasures', person)).counts['questions']).toBe(1);
    expect(await listOf(shop)).toEqual([]);
  });
});

describe('of a lead that was deleted', () => {
  it('the deliveries about calls to its other number are exported and erased, and no others', async () => {
    const receiver = await Receiver.open();
    receiver.reply = ({ text }) => ({ body: text });
    const assistant_id = await anAssistant(user, {
      is_webhook_active: true,
      webhook_url: receiver.url,
      ringing_time: 5,
    });
    const campaign_id = await aCampaign(user, { assistant_id, max_retries: 1 });
    const reached = async (fields: object): Promise<{ leadId: number; callId: number }> => {
      const { id } = await aLead(user, campaign_id, { ...fields });
      await user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
      await until(async () => {
        const { body } = await user.client.get<{ data: TestLead }>(`/user/leads/${id}`);
        return body.data.status === 'completed';
      });
      const { body } = await user.client.get<{ data: { id: number; client_phone_number: string }[] }>(
        `/user/calls?lead_id=${id}`,
      );
      const callId = body.data.find((call) => call.client_phone_number === POLITE)?.id ?? 0;
      await deliveryWhen(user, callId, ({ status }) => status === 'delivered');
      return { leadId: id, callId };
    };
    const ofPerson = await reached({
      phone_number: BUSY,
      secondary_contacts: [{ phone_number: POLITE }],
    });
    const ofOther = await reached({ phone_number: POLITE });
    await user.client.delete(`/user/leads/${ofPerson.leadId}`);
    expect((await jobOf('exports', BUSY)).counts['deliveries']).toBe(1);
    expect((await jobOf('erasures', BUSY)).counts['deliveries']).toBe(1);
    expect(await deliveriesOf(user, `call_id=${ofPerson.callId}`)).toEqual([]);
    expect(await deliveriesOf(user, `call_id=${ofOther.callId}`)).toHaveLength(1);
    const { text } = await user.client.get(`/user/calls/${ofPerson.callId}`);
    expect(text).toContain(POLITE);
    expect(text).not.toContain(BUSY);
    await receiver.close();
  });
});
