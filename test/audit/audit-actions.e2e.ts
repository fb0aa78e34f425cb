import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aNumber } from '../factories/lead.js';
import { auditLog, blockAuditLog, type AuditEntry } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

const SILENT_NUMBER = '+15005550020';
const day = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');

let user: TestAccount;

/** What the account's entries say since the one with this id, the oldest first. */
const since = async (id: number, account = user): Promise<AuditEntry[]> =>
  (await auditLog(account)).filter((entry) => entry.id > id).reverse();
const newest = async (account = user): Promise<number> => (await auditLog(account))[0]?.id ?? 0;
const shown = ({ action, resource, fields, details }: AuditEntry) => [action, resource.id, fields, details];

async function idOf(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<number> {
  const { status, text, body } = await answer;
  if (status > 201) throw new Error(text);
  return (body as { data: { id: number } }).data.id;
}

beforeAll(async () => {
  user = await anAccount();
});

describe('the audit log has', () => {
  it('assistants: changes, statuses and webhooks', async () => {
    const last = await newest();
    const id = await anAssistant(user);
    const path = `/user/assistant/${id}`;
    await user.client.put(path, { system_prompt: 'Be brief.', status: 'inactive' });
    await user.client.put(path, { status: 'inactive' });
    const hook = { assistant_id: id, webhook_url: 'https://example.com/hook' };
    await user.client.post('/user/assistants/enable-webhook', hook);
    await user.client.delete(path);
    const found = await since(last);
    expect(found.map(shown)).toEqual([
      ['assistant.create', String(id), [], {}],
      ['assistant.update', String(id), ['status', 'system_prompt'], { status: 'inactive' }],
      ['assistant.update', String(id), ['is_webhook_active', 'webhook_url'], {}],
      ['assistant.delete', String(id), [], {}],
    ]);
    expect(JSON.stringify(found)).not.toContain('Be brief');
  });

  it('campaigns: changes, start and stop', async () => {
    const assistantId = await anAssistant(user);
    const last = await newest();
    const id = await aCampaign(user, { assistant_id: assistantId });
    await user.client.put(`/user/campaigns/${id}`, { name: 'Autumn', max_retries: 5 });
    for (const action of ['start', 'start', 'stop'])
      await user.client.post('/user/campaigns/update-status', { campaign_id: id, action });
    await user.client.get(`/user/campaigns/${id}/export`);
    await user.client.delete(`/user/campaigns/${id}`);
    expect((await since(last)).map(shown)).toEqual([
      ['campaign.create', String(id), [], {}],
      ['campaign.update', String(id), ['max_retries', 'name'], {}],
      ['campaign.start', String(id), [], {}],
      ['campaign.stop', String(id), [], {}],
      ['campaign.export', String(id), [], {}],
      ['campaign.delete', String(id), [], {}],
    ]);
  });

  it('campaigns that the service stops', async () => {
    const poor = await anAccount();
    const id = await aCampaign(poor, { assistant_id: await anAssistant(poor) });
    await poor.client.post('/user/lead', { campaign_id: id, phone_number: aNumber() });
    await poor.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
    const { body: assistants } = await poor.client.get<{ id: number }[]>('/user/assistants');
    await poor.client.delete(`/user/assistant/${assistants[0]?.id}`);
    const stop = await until(async () => (await auditLog(poor, 'action=campaign.stop'))[0] ?? null);
    expect(stop).toMatchObject({
      actor: { type: 'system', id: null, name: null },
      address: null,
      resource: { type: 'campaign', id: String(id) },
      details: { reason: 'assistant_deleted' },
    });
  });

  it('leads without their numbers, and an import as one entry', async () => {
    const campaignId = await aCampaign(user, { assistant_id: await anAssistant(user) });
    const last = await newest();
    const number = aNumber();
    const lead = { campaign_id: campaignId, phone_number: number, variables: { name: 'Ada' } };
    const id = await idOf(user.client.post('/user/lead', lead));
    const path = `/user/leads/${id}`;
    await user.client.put(path, { ...lead, status: 'completed', variables: { name: 'Eve' } });
    await user.client.post(`${path}/schedule`, { scheduled_at: day() });
    const form = new FormData();
    form.set('campaign_id', String(campaignId));
    form.set('file', new Blob([`phone_number\n${aNumber()}\n${aNumber()}\n`]), 'leads.csv');
    await user.client.post('/user/leads/import', form);
    await user.client.delete(path);
    const found = await since(last);
    const details = { campaign_id: campaignId };
    expect(found.map(shown)).toEqual([
      ['lead.create', String(id), [], details],
      ['lead.update', String(id), ['status', 'variables'], { status: 'completed' }],
      ['lead.schedule', String(id), [], {}],
      ['lead.import', null, [], details],
      ['lead.delete', String(id), [], details],
    ]);
    expect(JSON.stringify(found)).not.toMatch(new RegExp(`${number.slice(1)}|Ada|Eve`));
  });

  it('suppressions, groups and knowledge bases with their documents', async () => {
    const last = await newest();
    const { body: suppression } = await user.client.post<{ data: { id: number } }>('/user/suppressions', {
      phone_number: aNumber(),
    });
    await user.client.delete(`/user/suppressions/${suppression.data.id}`);
    const folder = await idOf(user.client.post('/user/folders', { name: 'Sales' }));
    await user.client.put(`/user/folders/${folder}`, { name: 'Marketing' });
    await user.client.delete(`/user/folders/${folder}`);
    const base = await idOf(user.client.post('/user/knowledgebases', { name: 'Prices' }));
    await user.client.put(`/user/knowledgebases/${base}`, { name: 'Price list' });
    const documents = `/user/knowledgebases/${base}/documents`;
    const website = { type: 'website', name: 'Page', url: 'https://example.com' };
    const document = await idOf(user.client.post(documents, website));
    await user.client.put(`${documents}/${document}`, { name: 'Home page' });
    await user.client.delete(`${documents}/${document}`);
    await user.client.delete(`/user/knowledgebases/${base}`);
    const of = { knowledgebase_id: base };
    expect((await since(last)).map(shown)).toEqual([
      ['suppression.create', String(suppression.data.id), [], {}],
      ['suppression.delete', String(suppression.data.id), [], {}],
      ['folder.create', String(folder), [], {}],
      ['folder.update', String(folder), ['name'], {}],
      ['folder.delete', String(folder), [], {}],
      ['knowledgebase.create', String(base), [], {}],
      ['knowledgebase.update', String(base), ['name'], {}],
      ['document.create', String(document), [], { ...of, type: 'website' }],
      ['document.update', String(document), ['name'], of],
      ['document.delete', String(document), [], of],
      ['knowledgebase.delete', String(base), [], {}],
    ]);
  });

  it('keys and secrets, without what they open', async () => {
    const last = await newest();
    const key = await anApiKey(user, { name: 'CRM', scopes: ['read'] });
    await user.client.delete(`/user/api-keys/${key.id}`);
    const secret = await user.client.get('/user/webhook-secret');
    await user.client.post('/user/webhook-secret/rotate');
    const found = await since(last);
    expect(found.map(shown)).toEqual([
      ['api-key.create', String(key.id), [], { name: 'CRM', scopes: ['read'] }],
      ['api-key.delete', String(key.id), [], {}],
      ['webhook-secret.read', null, [], {}],
      ['webhook-secret.update', null, [], {}],
    ]);
    const text = JSON.stringify(found);
    expect(
      [key.token, /whsec_[^"]+/.exec(secret.text)?.[0] ?? ''].filter((one) => text.includes(one)),
    ).toEqual([]);
  });

  it('messages, each with the key that sent it, and names of numbers', async () => {
    const last = await newest();
    const keys = await Promise.all(['one', 'two', 'three'].map((name) => anApiKey(user, { name })));
    const message = { from: user.phoneNumber.id, to: '+15005550006', body: 'Good morning' };
    const ids = await Promise.all(keys.map(({ client }) => idOf(client.post('/user/sms', message))));
    await user.client.put(`/user/phone-numbers/${user.phoneNumber.id}`, { nickname: 'Front desk' });
    const found = await since(last);
    const sent = found.filter(({ action }) => action === 'sms.create');
    expect(Object.fromEntries(sent.map(({ resource, actor }) => [resource.id, actor.id]))).toEqual(
      Object.fromEntries(ids.map((id, n) => [String(id), keys[n]?.id])),
    );
    expect(shown(found.at(-1) as AuditEntry)).toEqual([
      'phone-number.update',
      String(user.phoneNumber.id),
      ['nickname'],
      {},
    ]);
    expect(JSON.stringify(found)).not.toMatch(/Good morning|15005550006/);
  });

  it('calls: placed, ended, read in every way, deleted', async () => {
    const assistant_id = await anAssistant(user);
    const last = await newest();
    const placed = await user.client.post<{ call_id: number }>('/user/make_call', {
      assistant_id,
      phone_number: SILENT_NUMBER,
    });
    const id = placed.body.call_id;
    const path = `/user/calls/${id}`;
    await user.client.post(`${path}/end`);
    await user.client.get(path);
    await user.client.get(`${path}/turns`);
    await user.client.get(`/user/calls?assistant_id=${assistant_id}`);
    await user.client.get(`/user/calls/export?phone_number=${SILENT_NUMBER.slice(1)}`);
    expect((await user.client.get(`${path}/recording`)).status).toBe(404);
    await user.client.delete(path);
    const found = await since(last);
    const own = String(id);
    expect(found.map(shown)).toEqual([
      ['call.create', own, [], { assistant_id, type: 'outbound' }],
      ['call.end', own, [], {}],
      ['call.read', own, [], {}],
      ['call.read-turns', own, [], {}],
      ['call.list', null, [], { ids: [id] }],
      ['call.export', null, [], { filters: ['phone_number'] }],
      ['call.delete', own, [], {}],
    ]);
    expect(await auditLog(user, `resource_type=call&resource_id=${id}&action=call.list`)).toHaveLength(1);
  });

  it('text conversations that are read', async () => {
    const assistant_id = await anAssistant(user);
    const last = await newest();
    const begun = await user.client.post<{ conversation_id: string }>('/conversations', {
      assistant_id,
      type: 'api',
    });
    const uuid = begun.body.conversation_id;
    await user.client.get(`/conversations/${uuid}`);
    expect((await since(last)).map(shown)).toEqual([['conversation.read', uuid, [], {}]]);
  });

  it('commands of operators, with the name of the user', async () => {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const run = async (...args: string[]): Promise<string> => {
      const { code, output, problem } = await runCommand(args);
      if (code !== 0) throw new Error(problem);
      return output;
    };
    await run('accounts', 'create', '--name', 'Ada', '--email', email, '--balance', '5');
    await run('accounts', 'set-plan', '--email', email, '--plan', 'unlimited');
    const token = (await run('tokens', 'create', '--email', email, '--name', 'crm')).trim();
    const { rows } = await database().query<{ id: number }>('SELECT id FROM accounts WHERE email = $1', [
      email,
    ]);
    const found = await since(0, { client: user.client.withToken(token) } as TestAccount);
    const account = String(rows[0]?.id);
    expect(found.map(shown)).toEqual([
      ['account.create', account, [], { country: 'US', plan: 'standard' }],
      ['account.top-up', account, [], { amount: '5' }],
      ['account.update', account, ['plan_id'], { plan: 'unlimited' }],
      ['api-key.create', expect.any(String), [], expect.objectContaining({ name: 'crm' })],
    ]);
    expect(found.map(({ actor, address }) => [actor.type, actor.id, address])).toEqual(
      found.map(() => ['cli', null, null]),
    );
    expect(found[0]?.actor.name).toEqual(expect.stringMatching(/./));
  });

  it('or nothing is read: a call, its turns and lists answer 503', async () => {
    const blocked = await anAccount();
    const assistant_id = await anAssistant(blocked);
    const placed = await blocked.client.post<{ call_id: number }>('/user/make_call', {
      assistant_id,
      phone_number: SILENT_NUMBER,
    });
    await blockAuditLog(blocked);
    const path = `/user/calls/${placed.body.call_id}`;
    const paths = [path, `${path}/turns`, `${path}/events`, '/user/calls', '/user/calls/export'];
    const answers = await Promise.all(paths.map((one) => blocked.client.get(one)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      paths.map(() => [503, { message: 'Service temporarily unavailable' }]),
    );
  });
});
