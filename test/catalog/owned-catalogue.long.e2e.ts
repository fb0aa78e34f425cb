import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { aCall, callWhen } from '../factories/call.js';
import { anAssistant } from '../factories/assistant.js';
import { runCommand } from '../support/command.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

type Row = Record<string, unknown> & { name: string };

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const FILE = `
models:
  - { name: gpt-6-sol, reasoning_effort: high }
  - { name: from-the-file, code: gpt-6-luna, takes_temperature: false, reasoning_effort: none }
providers:
  - { kind: transcriber, name: Deepgram, code: nova-9 }
`;

/** What an installation of the version before had. */
const BEFORE = `
  UPDATE language_models model SET fallback_model_id = former.fallback
    FROM (VALUES (1, 5), (2, 1), (3, 5), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 2), (10, 1)) AS former (id, fallback)
   WHERE model.id = former.id;
  UPDATE language_models SET endpoint = NULL, reasoning_effort = CASE WHEN id = 6 THEN 'minimal' END WHERE id < 11;
  UPDATE speech_providers SET code = 'gpt-4o-mini-transcribe' WHERE id = 2;
  DELETE FROM language_models WHERE id > 10;`;

describe('the catalogue that the operator owns', () => {
  let service: OwnService;
  let account: TestAccount;
  const directory = mkdtempSync(join(tmpdir(), 'catalogue-'));

  const cli = async (...args: string[]): Promise<string> => {
    const { code, output, problem } = await runCommand(args, { DATABASE_URL: service.url });
    if (code !== 0) throw new Error(problem);
    return output;
  };
  const listed = async (kind: string): Promise<Row[]> =>
    JSON.parse(await cli(kind, 'list', '--json')) as Row[];
  const model = async (name: string): Promise<Row | undefined> =>
    (await listed('models')).find((row) => row.name === name);

  const isApplied = async (migration: string): Promise<boolean> =>
    (await service.db.query('SELECT 1 FROM migrations WHERE name = $1', [migration])).rowCount === 1;

  beforeAll(async () => {
    const file = join(directory, 'catalogue.yaml');
    writeFileSync(file, FILE);
    service = await OwnService.start(undefined, { CATALOGUE_FILE: file, SANDBOX_SPEED: '80' });
    account = await service.account();
  });

  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  it('begins with models that stay, and with the content of the file', async () => {
    const { body } = await account.client.get<Row[]>('/user/assistants/models');
    expect(body[0]).toEqual({ id: 11, name: 'gpt-6-luna' });
    expect(await model('gpt-6-sol')).toMatchObject({
      reasoning_effort: 'high',
      retires_on: null,
      own: false,
    });
    expect(await model('from-the-file')).toMatchObject({ id: 1000, code: 'gpt-6-luna' });
    expect((await listed('providers')).find(({ name }) => name === 'Deepgram')?.['code']).toBe('nova-9');
  });

  it('keeps the settings of the operator over three starts, by commands and by SQL', async () => {
    await cli('models', 'set', 'gpt-5.6-luna', '--reasoning-effort', 'low');
    // The value of the release: set by the operator, it does not follow later releases.
    await cli('models', 'set', 'gpt-6-luna', '--reasoning-effort', 'none');
    await cli(
      'models',
      'add',
      'our-model',
      '--endpoint',
      'local',
      '--code',
      'qwen3-30b',
      '--fallback',
      'gpt-6-luna',
    );
    await cli(
      'models',
      'retire',
      'mistral-small-latest',
      '--on',
      '2026-01-01',
      '--replaced-by',
      'gpt-6-luna',
    );
    await cli('voices', 'set', 'Rachel', '--accent', 'British');
    await cli('providers', 'set', '1', '--code', 'kokoro', '--endpoint', 'local');
    await service.db.query(`UPDATE language_models SET takes_temperature = true WHERE name = 'gpt-6-luna'`);
    const kinds = ['models', 'voices', 'providers'];
    // What the check at a start finds is not the operator's.
    const settings = (rows: Row[]) => rows.map(({ warning: _, ...row }) => row);
    const state = async () => Promise.all(kinds.map(async (kind) => settings(await listed(kind))));
    const set = await state();
    for (let start = 1; start <= 3; start += 1) {
      await service.restart();
      expect(await state()).toEqual(set);
    }
    expect(await model('gpt-5.6-luna')).toMatchObject({ reasoning_effort: 'low', own: false });
    expect(await model('our-model')).toMatchObject({ endpoint: 'local', fallback: 'gpt-6-luna', own: true });
    expect(await model('gpt-6-luna')).toMatchObject({ takes_temperature: true });
    const { rows } = await service.db.query<{ pinned: boolean }>(
      `SELECT NOT seeded ? 'reasoning_effort' AS pinned FROM language_models WHERE name = 'gpt-6-luna'`,
    );
    expect(rows).toEqual([{ pinned: true }]);
  });

  it.each([
    [['models', 'add', 'gpt-6-luna'], 'There is a gpt-6-luna already: "set" changes it.'],
    [['models', 'set', 'nothing', '--code', 'x'], 'There is no nothing among the models: "list" shows all.'],
    [
      ['models', 'retire', 'gpt-4o', '--replaced-by', 'nothing'],
      'There is no nothing among the models: "list" shows all.',
    ],
    [['providers', 'set', 'OpenAI', '--code', 'x'], 'Several providers have the name OpenAI: give the id.'],
  ])('refuses %j', async (args, message) => {
    await expect(cli(...args)).rejects.toThrow(message);
  });

  it('serves an installation of the version before: retired models work, and its settings are kept', async () => {
    const old = await anAssistant(account, { llm_model: 'gpt-4.1-nano', llm_fallback_model: 'gpt-4.1-nano' });
    await service.db.query('DELETE FROM language_models WHERE id >= 1000');
    await cli('keys', 'decrypt');
    // What followed the catalogue of the operator, and that one.
    while (await isApplied('OwnedCatalogue20261126000900')) await cli('migrate', '--undo');
    await service.db.query(BEFORE);
    await service.db.query(
      `UPDATE language_models SET takes_temperature = false, endpoint = 'own' WHERE name = 'gpt-4.1'`,
    );
    await service.restart();
    expect(await model('gpt-4.1')).toMatchObject({ takes_temperature: false, endpoint: 'own' });
    expect(await model('gpt-4.1-mini')).toMatchObject({ fallback: 'gpt-6-luna', retires_on: '2027-01-14' });
    const providers = await listed('providers');
    expect(providers.find(({ id }) => id === 2)).toMatchObject({ code: 'gpt-transcribe' });

    const models = await account.client.get<Row[]>('/user/assistants/models');
    expect(models.body).toContainEqual(
      expect.objectContaining({
        name: 'gpt-4.1-nano',
        retires_on: '2026-10-23',
        replaced_by: 'gpt-5.6-luna',
      }),
    );
    const path = `/user/assistant/${old}`;
    const shown = await account.client.get<{ data: Row }>(path);
    expect(shown.body.data['llm_model_id']).toBe(3);
    expect((await account.client.put(path, shown.body.data)).status).toBe(200);
    expect((await account.client.put(path, { llm_model: 'gpt-4.1-nano' })).status).toBe(200);

    const call = await aCall(account, old, { phoneNumber: '+15005550020' });
    const ended = await callWhen(account, call, ({ status }) => status === 'completed');
    expect(ended).toMatchObject({ settings_not_applied: ['llm_model', 'llm_fallback_model'] });
    const { rows } = await service.db.query<{ model: string }>(
      'SELECT DISTINCT model FROM call_model_usages WHERE call_id = $1',
      [call],
    );
    expect(rows).toEqual([{ model: 'gpt-5.6-luna' }]);
  });
});

describe('a model that ends', () => {
  let service: OwnService;
  let receiver: Receiver;
  let account: TestAccount;

  const cli = (...args: string[]) => runCommand(args, { DATABASE_URL: service.url });

  beforeAll(async () => {
    receiver = await Receiver.open();
    service = await OwnService.start(undefined, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
    account = await service.account();
  });

  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it('is a webhook, a line of the log, a metric, a finding and a warning in the list, once', async () => {
    await cli('models', 'add', 'ending', '--code', 'gpt-6-luna', '--fallback', 'gpt-6-luna');
    await cli('models', 'add', 'far', '--code', 'gpt-6-luna');
    // The catalogue is read again.
    await service.restart();
    const webhooks = {
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    };
    const id = await anAssistant(account, { llm_model: 'ending', assistant_name: 'Ada', ...webhooks });
    await anAssistant(account, { llm_model: 'far', ...webhooks });
    await anAssistant(account, { llm_model: 'ending', ...webhooks, send_webhook_only_on_completed: true });
    await cli('models', 'retire', 'ending', '--on', inDays(59), '--replaced-by', 'gpt-6-luna');
    await cli('models', 'retire', 'far', '--on', inDays(61), '--replaced-by', 'gpt-6-luna');
    for (let start = 1; start <= 2; start += 1) {
      await service.restart();
      await until(async () => service.service.output().includes('The model ending retires on'));
      // One that is killed in a delivery repeats it.
      await until(async () => {
        const { rows } = await service.db.query(`SELECT 1 FROM webhook_deliveries WHERE state = 'delivered'`);
        return rows.length > 0;
      });
    }
    const delivered = await until(async () => receiver.received.length > 0 && receiver.received);
    expect(delivered.map(({ body }) => body)).toEqual([
      {
        event: 'model.retiring',
        assistant: { id, name: 'Ada' },
        model: {
          name: 'ending',
          code: 'gpt-6-luna',
          warning: 'retiring',
          retires_on: inDays(59),
          replaced_by: 'gpt-6-luna',
        },
        timestamp: expect.any(String),
      },
    ]);
    const { rows } = await service.db.query('SELECT event FROM webhook_deliveries');
    expect(rows).toEqual([{ event: 'model.retiring' }]);
    const metrics = await fetch(`${service.service.url}/metrics`);
    expect(await metrics.text()).toContain('model_warning_assistants{model="ending",warning="retiring"} 2');
    const models = await account.client.get<Row[]>('/user/assistants/models');
    expect(models.body.find(({ name }) => name === 'ending')).toMatchObject({ warning: 'retiring' });
    expect(models.body.find(({ name }) => name === 'far')).not.toHaveProperty('warning');
    const { output } = await cli('doctor', '--json');
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string; what: string }[] };
    const findings = checks.filter(({ name }) => name.startsWith('model '));
    expect(findings).toMatchObject([
      {
        name: 'model ending',
        state: 'warn',
        what: `ending retires on ${inDays(59)}; gpt-6-luna takes its place (assistants ${id}, ${id + 2})`,
      },
    ]);
  });
});
