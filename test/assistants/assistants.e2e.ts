import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';

interface Created {
  message: string;
  data: { id: number };
}

type Full = Record<string, unknown> & { id: number };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('assistants', () => {
  let one: TestAccount;
  let other: TestAccount;

  const full = async (account: TestAccount, id: number): Promise<Full> => {
    const { status, body } = await account.client.get<{ data: Full }>(`/user/assistant/${id}`);
    expect(status).toBe(200);
    return body.data;
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it('creates one from the required fields and responds with its summary', async () => {
    const { status, body } = await one.client.post<Created>('/user/assistant', assistantBody());
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Assistant created successfully',
      data: {
        id: expect.any(Number),
        name: 'Front desk',
        status: 'active',
        type: 'outbound',
        mode: 'pipeline',
      },
    });
  });

  it('shows every field of the full shape with its default', async () => {
    const id = await anAssistant(one);
    expect(await full(one, id)).toEqual({
      id,
      user_id: one.id,
      phone_number_id: null,
      engine_id: null,
      synthesizer_id: null,
      transcriber_id: null,
      voice_id: 1,
      instance_id: 1,
      name: 'Front desk',
      variables: {},
      post_call_evaluation: true,
      fillers: 0,
      post_call_schema: [
        { name: 'status', type: 'bool', description: expect.any(String) },
        { name: 'summary', type: 'string', description: expect.any(String) },
      ],
      end_call_tool: null,
      tools: [],
      is_webhook_active: false,
      webhook_url: null,
      inbound_webhook_url: null,
      caller_id_lookup: 'always',
      conversation_ended_webhook_url: null,
      conversation_inactivity_timeout: 10,
      retention: null,
      redaction: 'off',
      folder_id: null,
      label_ids: [],
      language: 'English',
      type: 'outbound',
      status: 'active',
      max_duration: 600,
      record: false,
      initial_message: 'Hello, how can I help you?',
      system_prompt: 'You are the friendly voice of a bicycle shop.',
      flows_platform_id: null,
      timezone: 'Europe/Berlin',
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      max_silence_duration: 40,
      reengagement_interval: 30,
      deleted_at: null,
      end_call_on_voicemail: 1,
      llm_temperature: '0.10',
      voice_stability: '0.70',
      voice_similarity: '0.50',
      allow_interruptions: true,
      enable_noise_cancellation: true,
      endpoint_sensitivity: 0.5,
      speech_speed: '1.00',
      endpoint_type: 'vad',
      wait_for_customer: false,
      mode: 'pipeline',
      language_id: 1,
      transcriber_provider_id: null,
      fallback_voice_ids: [],
      synthesizer_provider_id: null,
      llm_model_id: 11,
      multimodal_model_id: null,
      ambient_sound: 'off',
      uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      send_webhook_only_on_completed: true,
      include_recording_in_webhook: true,
      interrupt_sensitivity: 0.5,
      filler_config: {
        neutral: expect.arrayContaining(['Okay.']),
        negative: [expect.any(String), expect.any(String), expect.any(String)],
        positive: [expect.any(String), expect.any(String), expect.any(String)],
        question: expect.arrayContaining(['Good question.']),
      },
      knowledgebase_id: null,
      knowledgebase_mode: 'none',
      min_interrupt_words: 0,
      ambient_sound_volume: '0.50',
      widget_settings: {
        enabled: false,
        allowed_origins: [],
        theme: 'light',
        color: '#2563eb',
        position: 'bottom-right',
      },
      llm_fallback_model: null,
      max_initial_silence_duration: null,
      reengagement_prompt: null,
      ringing_time: 30,
      transfer_numbers: [],
      voice_mail_message: null,
    });
  });

  it('returns an assistant to its user only', async () => {
    const id = await anAssistant(one);
    const { status, body } = await other.client.get(`/user/assistant/${id}`);
    expect([status, body]).toEqual([404, { message: 'Assistant not found' }]);
  });

  it('accepts every optional field under its request name and returns it under its response name', async () => {
    const tool = await one.client.post<{ data: object & { id: number } }>('/user/tools', {
      name: 'check_order',
      description: 'Looks up an order.',
      endpoint: 'https://example.com/orders',
      method: 'GET',
    });
    const id = await anAssistant(one, {
      calls_direction: 'receive',
      phone_number_id: one.phoneNumber.id,
      tool_ids: [tool.body.data.id, tool.body.data.id],
      endpoint_type: 'ai',
      endpoint_sensitivity: 1.25,
      interrupt_sensitivity: 5,
      ambient_sound_volume: 0.25,
      post_call_evaluation: false,
      send_webhook_only_on_completed: false,
      include_recording_in_webhook: false,
      is_webhook_active: true,
      webhook_url: 'https://example.com/calls',
      use_min_interrupt_words: true,
      min_interrupt_words: 3,
      variables: { customer_name: 'Ada', toString: 'kept', nested: { constructor: [1, null] } },
      post_call_schema: [{ name: 'goal', type: 'number', description: 'How far it went' }],
      end_call_tool: { description: 'When the customer says goodbye.' },
      llm_temperature: 0.3,
      voice_stability: 0.4,
      voice_similarity: 1,
      speech_speed: 1.2,
      allow_interruptions: false,
      filler_audios: true,
      re_engagement_interval: 7,
      max_call_duration: 1200,
      max_silence_duration: 120,
      end_call_on_voicemail: false,
      noise_cancellation: false,
      record_call: true,
      who_speaks_first: 'Customer',
    });
    expect(await full(one, id)).toMatchObject({
      type: 'inbound',
      phone_number_id: one.phoneNumber.id,
      tools: [tool.body.data],
      endpoint_type: 'ai',
      endpoint_sensitivity: 1.25,
      interrupt_sensitivity: 5,
      ambient_sound_volume: '0.25',
      post_call_evaluation: false,
      send_webhook_only_on_completed: false,
      include_recording_in_webhook: false,
      is_webhook_active: true,
      webhook_url: 'https://example.com/calls',
      min_interrupt_words: 3,
      variables: { customer_name: 'Ada', toString: 'kept', nested: { constructor: [1, null] } },
      post_call_schema: [{ name: 'goal', type: 'number', description: 'How far it went' }],
      end_call_tool: { description: 'When the customer says goodbye.' },
      llm_temperature: '0.30',
      voice_stability: '0.40',
      voice_similarity: '1.00',
      speech_speed: '1.20',
      allow_interruptions: false,
      fillers: 1,
      reengagement_interval: 7,
      max_duration: 1200,
      max_silence_duration: 120,
      end_call_on_voicemail: 0,
      enable_noise_cancellation: false,
      record: true,
      wait_for_customer: true,
    });
  });

  it('accepts prefixed post-call fields, flat fields of the end-call tool and numbers as text', async () => {
    const id = await anAssistant(one, {
      post_call_schema: [
        {
          'post_call_schema[].name': 'goal_1',
          'post_call_schema[].type': 'bool',
          'post_call_schema[].description': 'Whether it was reached',
        },
      ],
      'end_call_tool.description': 'When all is said.',
      voice_id: '2',
      speech_speed: '0.7',
      record_call: '1',
      post_call_evaluation: 0,
    });
    expect(await full(one, id)).toMatchObject({
      post_call_schema: [{ name: 'goal_1', type: 'bool', description: 'Whether it was reached' }],
      end_call_tool: { description: 'When all is said.' },
      voice_id: 2,
      speech_speed: '0.70',
      record: true,
      post_call_evaluation: false,
    });
  });

  it('accepts a multimodal model in multimodal mode only', async () => {
    const id = await anAssistant(one, { engine_type: 'multimodal', llm_model: 'gpt-realtime', voice_id: 70 });
    expect(await full(one, id)).toMatchObject({
      mode: 'multimodal',
      multimodal_model_id: 9,
      llm_model_id: 9,
    });
    await anAssistant(one, { engine_type: 'multimodal', llm_model: 'gpt-4.1' });
    const { status, body } = await one.client.post(
      '/user/assistant',
      assistantBody({ llm_model: 'gpt-realtime' }),
    );
    expect([status, body]).toEqual([
      422,
      { message: 'Validation failed', errors: { llm_model: ['The selected llm model is invalid.'] } },
    ]);
  });
});
