import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { auditLog, blockAuditLog, type AuditEntry } from '../support/audit.js';

const TOOL = {
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'POST',
};

let user: TestAccount;
let toolId: number;

const aTool = async (): Promise<number> => {
  const { body } = await user.client.post<{ data: { id: number } }>('/user/tools', TOOL);
  return body.data.id;
};

beforeAll(async () => {
  user = await anAccount();
  toolId = await aTool();
});

describe('the audit log', () => {
  it('names who changed which fields of what, from where and in which request', async () => {
    const path = `/user/tools/${toolId}`;
    const update = await user.client.put(path, { ...TOOL, description: 'Finds an order.', timeout: 5 });
    await user.client.put(path, { ...TOOL, description: 'Finds an order.', timeout: 5 });
    await user.client.delete(path);
    const [deleted, updated, created] = await auditLog(user);
    const resource = { type: 'tool', id: String(toolId) };
    expect(created).toMatchObject({ id: 1, action: 'tool.create', resource, fields: [], details: {} });
    expect(updated).toEqual({
      id: 2,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      actor: { type: 'key', id: expect.any(Number), name: 'test' },
      address: expect.stringContaining('127.0.0.1'),
      request_id: update.headers.get('x-request-id'),
      action: 'tool.update',
      resource,
      fields: ['description', 'timeout'],
      details: {},
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(deleted).toMatchObject({ id: 3, action: 'tool.delete', resource });
  });

  it('is filtered by actor, key, action, resource and day', async () => {
    const crm = await anApiKey(user, { name: 'CRM' });
    const { body } = await crm.client.post<{ data: { id: number } }>('/user/tools', TOOL);
    const made = (entries: AuditEntry[]) =>
      entries.filter(({ action }) => action.startsWith('tool.')).map(({ resource }) => resource.id);
    const mine = String(body.data.id);
    const today = new Date().toISOString().slice(0, 10);
    expect(made(await auditLog(user, `key_id=${crm.id}`))).toEqual([mine]);
    expect(made(await auditLog(user, 'action=tool.create'))).toEqual([mine, String(toolId)]);
    expect(made(await auditLog(user, `resource_type=tool&resource_id=${mine}`))).toEqual([mine]);
    expect(await auditLog(user, `resource_type=campaign&resource_id=${mine}`)).toEqual([]);
    expect(await auditLog(user, 'actor=cli')).toEqual([]);
    expect(await auditLog(user, 'date_to=2020-01-01')).toEqual([]);
    // A run may begin before midnight.
    expect(made(await auditLog(user, `actor=key&date_from=${today}&timezone=Pacific/Kiritimati`))).toContain(
      mine,
    );
  });

  it('belongs to one account, and opens to keys with the scope admin only', async () => {
    const other = await anAccount();
    expect(await auditLog(other)).toEqual([]);
    const reader = await anApiKey(user, { scopes: ['read', 'write', 'calls', 'messages'] });
    expect((await reader.client.get('/user/audit-log')).status).toBe(403);
    expect((await reader.client.get('/user/audit-log/export')).status).toBe(403);
  });

  it('is exported with the filters of the list, and the export is in it', async () => {
    const { text, headers } = await user.client.get('/user/audit-log/export?action=tool.create');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'id,created_at,actor,key_id,actor_name,address,request_id,action,resource_type,resource_id,fields,details,hash',
    );
    const created = await auditLog(user, 'action=tool.create');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(created.map(({ hash }) => hash));
    expect(await auditLog(user, 'action=audit-log.export')).toMatchObject([
      { details: { filters: ['action'] } },
    ]);
  });

  it('has nothing of a change that is undone', async () => {
    const before = (await auditLog(user)).length;
    const refused = await user.client.post('/user/tools', { ...TOOL, name: 'Not a name' });
    expect(refused.status).toBe(422);
    expect((await user.client.delete('/user/tools/2147483647')).status).toBe(404);
    expect(await auditLog(user)).toHaveLength(before);
  });

  it('refuses changes and reading that it cannot have', async () => {
    const blocked = await anAccount();
    await blockAuditLog(blocked);
    await expect(blocked.client.post('/user/tools', TOOL)).rejects.toThrow('answers 500');
    expect((await blocked.client.get('/user/tools')).text).toBe('[]');
    expect((await blocked.client.get('/user/audit-log/export')).status).toBe(503);
  });
});
