import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';
import { openApi } from '../support/contract.js';

/** What published clients of 2026 send to create and update an assistant: docs/use/clients.md. */
type Fields = Record<string, unknown>;

const URL = 'https://example.com/hook';
const IGNORED = 'x-ignored-fields';

describe('assistants as published clients write them', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
  });

  const shape = async (id: number): Promise<Fields> =>
    (await user.client.get<{ data: Fields }>(`/user/assistant/${id}`)).body.data;
  const put = async (id: number, body: Fields) => {
    const { status, body: answer, headers } = await user.client.put<Fields>(`/user/assistant/${id}`, body);
    return { status, errors: answer.errors, ignored: headers.get(IGNORED) };
  };
  const post = (body: Fields, headers = {}) =>
    user.client.post<{ data: { id: number }; errors?: Fields }>(
      '/user/assistant',
      assistantBody(body),
      headers,
    );

  describe('the model', () => {
    const of = ({ mode, llm_model_id, multimodal_model_id }: Fields) => [
      mode,
      llm_model_id,
      multimodal_model_id,
    ];

    it.each<[Fields, Fields, unknown[]]>([
      [{ llm_model_id: 1 }, { llm_model_id: 1, multimodal_model_id: 9 }, ['pipeline', 1, null]],
      [
        { llm_model_id: 2 },
        { llm_model_id: 1, multimodal_model_id: 9, mode: 'pipeline' },
        ['pipeline', 1, null],
      ],
      [{ llm_model_id: 1 }, { llm_model: 'gpt-4.1', multimodal_model_id: 10 }, ['pipeline', 2, null]],
      [{}, { multimodal_model_id: 9 }, ['pipeline', 11, null]],
      [{}, { mode: 'multimodal', llm_model_id: 1, multimodal_model_id: 9 }, ['multimodal', 9, 9]],
      [
        {},
        { engine_type: 'multimodal', llm_model_id: 2, multimodal_model_id: null },
        ['multimodal', 2, null],
      ],
      [
        { mode: 'multimodal', multimodal_model_id: 9, engine_type: undefined },
        { llm_model_id: 1, multimodal_model_id: 9 },
        ['multimodal', 9, 9],
      ],
      [
        { engine_type: 'multimodal', llm_model: 'gpt-realtime' },
        { mode: 'pipeline', llm_model_id: 2, multimodal_model_id: 9 },
        ['pipeline', 2, null],
      ],
    ])('of the mode is used: %j updated by %j', async (created, updated, shown) => {
      const id = await anAssistant(user, created);
      expect(await put(id, updated)).toEqual({ status: 200, errors: undefined, ignored: null });
      expect(of(await shape(id))).toEqual(shown);
    });

    it.each<[Fields, unknown[] | string]>([
      [{ llm_model: undefined, llm_model_id: 1, multimodal_model_id: 9 }, ['pipeline', 1, null]],
      [
        { llm_model: undefined, llm_model_id: 1, multimodal_model_id: 9, engine_type: 'multimodal' },
        ['multimodal', 9, 9],
      ],
      [{ multimodal_model_id: 10, engine_type: undefined, mode: 'multimodal' }, ['multimodal', 10, 10]],
      [{ llm_model: undefined, multimodal_model_id: 9 }, 'multimodal_model_id'],
      [{ multimodal_model_id: 999 }, 'multimodal_model_id'],
      [{ multimodal_model_id: 1 }, 'multimodal_model_id'],
      [
        { llm_model: undefined, llm_model_id: 999, multimodal_model_id: 9, engine_type: 'multimodal' },
        'llm_model_id',
      ],
    ])('of the mode is used at creation: %j', async (fields, shown) => {
      const { status, body } = await post(fields);
      if (typeof shown === 'string') {
        const error = `The selected ${shown.replaceAll('_', ' ')} is invalid.`;
        expect([status, body.errors]).toEqual([422, { [shown]: [error] }]);
      } else expect(of(await shape(body.data.id))).toEqual(shown);
    });

    it('that is not used has to exist', async () => {
      const id = await anAssistant(user);
      const { status, errors } = await put(id, { llm_model_id: 1, multimodal_model_id: 999 });
      const text = ['The selected multimodal model id is invalid.'];
      expect([status, errors]).toEqual([422, { multimodal_model_id: text }]);
    });
  });

  describe.each(['inbound_webhook_url', 'conversation_ended_webhook_url'])('%s', (field) => {
    it('is stored at creation and by an update, and cleared by null', async () => {
      const id = await anAssistant(user, { [field]: URL });
      expect(await shape(id)).toMatchObject({ [field]: URL });
      expect((await put(id, { assistant_name: 'Ada' })).status).toBe(200);
      expect(await shape(id)).toMatchObject({ [field]: URL, name: 'Ada' });
      for (const nothing of [null, '']) {
        expect((await put(id, { [field]: `${URL}/2` })).status).toBe(200);
        expect(await shape(id)).toMatchObject({ [field]: `${URL}/2` });
        expect((await put(id, { [field]: nothing })).status).toBe(200);
        expect(await shape(id)).toMatchObject({ [field]: null });
      }
    });

    it.each(['ftp://example.com', 'example.com', 5, [], `https://example.com/${'x'.repeat(2048)}`])(
      'is refused as webhook_url is: %j',
      async (value) => {
        const errors = { [field]: [`The ${field.replaceAll('_', ' ')} field must be a valid URL.`] };
        const created = await post({ [field]: value });
        expect([created.status, created.body.errors]).toEqual([422, errors]);
        expect(await put(await anAssistant(user), { [field]: value })).toMatchObject({ status: 422, errors });
      },
    );

    it('is the one of its own endpoints', async () => {
      const id = await anAssistant(user);
      const name = field.replace('_webhook_url', '-webhook').replaceAll('_', '-');
      await user.client.post(`/user/assistants/enable-${name}`, { assistant_id: id, webhook_url: URL });
      expect(await shape(id)).toMatchObject({ [field]: URL });
      await put(id, { [field]: `${URL}/2` });
      await user.client.post(`/user/assistants/disable-${name}`, { assistant_id: id });
      expect(await shape(id)).toMatchObject({ [field]: null });
    });
  });

  it('conversation_inactivity_timeout is 10 minutes unless it is given', async () => {
    const id = await anAssistant(user);
    expect(await shape(id)).toMatchObject({ conversation_inactivity_timeout: 10 });
    for (const [given, shown] of [
      [1440, 1440],
      ['30', 30],
      [null, 10],
      [1, 1],
      ['', 10],
    ]) {
      expect((await put(id, { conversation_inactivity_timeout: given })).status).toBe(200);
      expect(await shape(id)).toMatchObject({ conversation_inactivity_timeout: shown });
    }
    for (const wrong of [0, 1441, 1.5, 'soon']) {
      expect((await put(id, { conversation_inactivity_timeout: wrong })).status).toBe(422);
    }
  });

  describe('built-in tools', () => {
    const END = { type: 'end_call', data: {} };
    const KEYS = { type: 'dtmf_input', data: {} };
    const SALES = { type: 'call_transfer', data: { phone_number: '+14155550103', description: 'Sales' } };
    const flat = [{ type: 'end_call' }, { type: 'call_transfer', ...SALES.data }, { type: 'dtmf_input' }];

    it('are created flat and shown with their data, after the mid call tools', async () => {
      const tool = await user.client.post<{ data: { id: number } }>(
        '/user/tools',
        ROUTES.createTool?.body?.({} as AccountResources),
      );
      const midCall = expect.objectContaining({ id: tool.body.data.id, name: 'check_order' }) as unknown;
      const id = await anAssistant(user, { tools: flat, tool_ids: [tool.body.data.id] });
      const shown = [midCall, END, SALES, KEYS];
      expect((await shape(id)).tools).toEqual(shown);
      const { body } = await user.client.get<{ data: Fields[] }>('/user/assistants/get?per_page=1');
      expect(body.data[0]).toMatchObject({ id, tools: shown, transfer_numbers: [] });
      // Detaching is done by `tool_ids`, and by nothing else.
      expect((await put(id, { tools: [] })).status).toBe(200);
      expect((await shape(id)).tools).toEqual([midCall]);
      expect((await put(id, { tools: [KEYS], tool_ids: [] })).status).toBe(200);
      expect((await shape(id)).tools).toEqual([KEYS]);
    });

    it('are replaced completely, and kept where they are not given', async () => {
      const id = await anAssistant(user, { tools: flat });
      for (const kept of [{ name: 'Ada' }, { tools: null }, { tools: '' }]) {
        expect((await put(id, kept)).status).toBe(200);
        expect((await shape(id)).tools).toEqual([END, SALES, KEYS]);
      }
      const before = await shape(id);
      expect((await put(id, before)).ignored).toBeNull();
      expect(await shape(id)).toEqual(before);
      expect((await put(id, { tools: [SALES] })).status).toBe(200);
      expect((await shape(id)).tools).toEqual([SALES]);
    });

    it('of other types are accepted and named, and so are fields that a transfer does not have', async () => {
      const tools = [
        { type: 'end_call' },
        { type: 'collect_keypad', timeout: 5 },
        { ...SALES, warm_transfer: true, timezone: 'UTC', custom: false },
        { type: 'calendar_integration', data: { calcom_api_key: 'k' } },
      ];
      const created = await post({ tools });
      const names = 'tools.1, tools.2.timezone, tools.2.warm_transfer, tools.3';
      expect([created.status, created.headers.get(IGNORED)]).toEqual([201, names]);
      expect((await shape(created.body.data.id)).tools).toEqual([END, SALES]);
    });

    it('are refused where a part of them is wrong, under the path of the part', async () => {
      const tools = [
        { type: 'call_transfer', phone_number: 'nobody' },
        { type: 'end_call', description: 5 },
      ];
      const errors = {
        'tools.0.phone_number': ['The phone number field must be a valid phone number.'],
        'tools.1.description': ['The description field must be a string.'],
      };
      const created = await post({ tools });
      expect([created.status, created.body.errors, created.headers.get(IGNORED)]).toEqual([
        422,
        errors,
        null,
      ]);
    });
  });

  describe('fields that the service does not have', () => {
    const documented = {
      secondary_language_ids: [2],
      chat_llm_fallback_id: 3,
      turn_detection_threshold: 0.5,
      conversation_ended_retrigger: true,
    };
    const nothing = {
      secondary_language_ids: [],
      chat_llm_fallback_id: 0,
      turn_detection_threshold: '',
      tts_emotion_enabled: true,
      conversation_ended_retrigger: false,
      instance_id: 1,
      no_such_field: 5,
    };

    it('are accepted and named by the response, also by one that is repeated for its key', async () => {
      const names = Object.keys(documented).join(', ');
      const keyed = { 'Idempotency-Key': `ignored-${user.id}` };
      const created = await post(documented, keyed);
      expect([created.status, created.headers.get(IGNORED)]).toEqual([201, names]);
      const again = await post(documented, keyed);
      expect([again.text, again.headers.get(IGNORED)]).toEqual([created.text, names]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await put(created.body.data.id, documented)).toMatchObject({ status: 200, ignored: names });
    });

    it('are not named where they request nothing, and not in an error', async () => {
      const created = await post(nothing);
      expect([created.status, created.headers.get(IGNORED)]).toEqual([201, null]);
      const wrong = { ...documented, voice_id: 9999 };
      expect(await put(created.body.data.id, wrong)).toMatchObject({ status: 422, ignored: null });
    });

    it('are in the OpenAPI document, with the header', async () => {
      const { paths } = await openApi();
      for (const operation of [paths['/api/user/assistant']?.post, paths['/api/user/assistant/{id}']?.put]) {
        const fields = operation && (Reflect.get(operation, 'x-ignored-fields') as string[]);
        expect(fields).toEqual(expect.arrayContaining([...Object.keys(documented), 'tools']));
        expect(operation?.description).toContain('`chat_llm_fallback_id`');
        expect(JSON.stringify(operation?.responses['200'] ?? operation?.responses['201'])).toContain(
          'X-Ignored-Fields',
        );
      }
    });
  });

  it.each(['mode', 'engine_type'])('the mode dualplex is refused as %s, and has no voices', async (field) => {
    const { status, errors } = await put(await anAssistant(user), { [field]: 'dualplex' });
    expect([status, Object.keys(errors as Fields)]).toEqual([422, [field]]);
    expect((await user.client.get('/user/assistants/voices?mode=dualplex')).body).toEqual([]);
  });
});
