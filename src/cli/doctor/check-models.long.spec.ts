import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { singleModelSettings, type ModelEndpointSettings } from '#src/config/env.dto.js';
import { OpenAiServer, type ServerStep } from '#src/modules/llm/openai-server.fake.js';
import { checkModels } from './check-models.js';

const CARRIER = { accountSid: 'AC1', authToken: 'key', apiUrl: null };
const READY = { status: 200, body: { choices: [{ index: 0, message: { content: '{"ready":true}' } }] } };

describe('checkModels', () => {
  let server: OpenAiServer;
  let endpoint: ModelEndpointSettings;

  beforeEach(async () => {
    server = new OpenAiServer();
    endpoint = { baseUrl: await server.start(), apiKey: 'key' };
  });

  afterEach(() => server.stop());

  const check = (endpoints: Record<string, ModelEndpointSettings> = {}) =>
    checkModels({
      model: { ...singleModelSettings(endpoint), endpoints },
      carrier: CARRIER,
      databaseUrl: null,
      catalogueFile: null,
    });
  const answers = (...all: (ServerStep[] | typeof READY)[]) => {
    for (const answer of all) server.willRespond(answer);
  };

  it('reports the time to the first token of a model that streams, calls tools and follows a schema', async () => {
    answers(['ready'], [{ call: 'look_up_time' }], READY);
    const [finding] = await check();
    expect(finding).toMatchObject({ name: 'model endpoint LLM_BASE_URL', state: 'ok' });
    expect(finding?.what).toMatch(/^gpt-6-luna: first token after \d+ ms$/);
  });

  it('reports what the model does not support', async () => {
    answers(['ready'], ['No.'], { ...READY, status: 400 });
    const [finding] = await check();
    expect(finding?.state).toBe('warn');
    expect(finding?.what).toMatch(/calls no tool, does not answer in the form of a schema$/);
  });

  it('fails for an endpoint that refuses the request', async () => {
    answers({ ...READY, status: 401 });
    expect(await check()).toMatchObject([
      { state: 'fail', what: 'gpt-6-luna: The language model refused (401)' },
    ]);
  });

  it('warns about an endpoint that no model uses', async () => {
    answers(['ready'], [{ call: 'look_up_time' }], READY);
    expect(await check({ unused: endpoint })).toMatchObject([{ state: 'ok' }, { state: 'warn' }]);
  });

  it('sends no request to the sandbox', async () => {
    expect(await checkModels({ model: null, carrier: null, databaseUrl: null, catalogueFile: null })).toEqual(
      [],
    );
  });
});
