import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { aCall, callWhen } from '../factories/call.js';
import { anAssistant } from '../factories/assistant.js';
import { aNumber } from '../factories/lead.js';
import { aWidgetAssistant, ORIGIN, Visitor } from '../factories/conversation.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';

/** Of the sandbox: what follows the plus is how its model server writes; each stands for a family. */
const WRITTEN = ['gemini', 'reasoning-field', 'tool-call-tags', 'content-parts', 'closing-tag', 'one-body'];
const SPOKEN = ['no-choices', 'closing-tag', 'harmony', 'object-arguments', 'content-parts'];
const BROKEN = ['cut-off', 'filtered'];
const modelOf = (name: string): string => `gpt-4.1-mini+${name}`;

const UNSPOKEN = /impatient|discount|forty percent|object Object|[<{]|tool_call|channel/;

describe('answers of model servers of all kinds', () => {
  let service: OwnService;
  let tools: Receiver;
  let account: TestAccount;
  let toolId: number;

  beforeAll(async () => {
    tools = await Receiver.open();
    tools.reply = () => ({ body: '{"order":"shipped"}' });
    service = await OwnService.start(undefined, {
      SANDBOX_SPEED: '80',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
    });
    const names = [...new Set([...WRITTEN, ...SPOKEN, ...BROKEN])].map(modelOf);
    await service.db.query(
      `INSERT INTO language_models (id, name, mode) SELECT 2000 + n, name, 'pipeline'
         FROM unnest($1::text[]) WITH ORDINALITY AS one (name, n)`,
      [names],
    );
    await service.restart();
    account = await service.account();
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: tools.url,
      method: 'POST',
      schema: [{ name: 'order', type: 'string', description: 'Number of the order.' }],
    });
    toolId = body.data.id;
  });

  afterAll(async () => {
    await service.stop();
    await tools.close();
  });

  it('are shown in text conversations, with the tools that they call, also a second time', async () => {
    await Promise.all(
      WRITTEN.map(async (name) => {
        const model = modelOf(name);
        const widget_settings = { enabled: true, allowed_origins: [ORIGIN], show_tool_results: true };
        const fields = { llm_model: model, llm_fallback_model: model, tool_ids: [toolId], widget_settings };
        const { uuid } = await aWidgetAssistant(account, fields);
        const visitor = new Visitor(`${service.service.url}/api`, { Origin: ORIGIN });
        const id = await visitor.began(uuid);
        for (const order of ['4711', '4712']) {
          const { body } = await visitor.say(id, `Where is my order ${order}?`);
          expect([name, body.function_calls]).toEqual([
            name,
            [
              {
                name: 'order_status',
                arguments: { order: expect.any(String) },
                result: { order: 'shipped' },
              },
            ],
          ]);
          expect([name, body.message]).toEqual([name, expect.stringContaining('shipped')]);
          expect(body.message).not.toMatch(UNSPOKEN);
        }
      }),
    );
  });

  it('are spoken in calls, and end none of them', async () => {
    await Promise.all(
      [...SPOKEN, ...BROKEN].map(async (name) => {
        const model = modelOf(name);
        const assistant = await anAssistant(account, { llm_model: model, llm_fallback_model: model });
        const call = await aCall(account, assistant, { phoneNumber: aNumber() });
        const record = (await callWhen(account, call, ({ status }) => status === 'completed')) as unknown as {
          transcript: string;
          ended_reason: string;
        };
        expect([name, record.transcript]).not.toEqual([name, expect.stringMatching(UNSPOKEN)]);
        expect(record.transcript.match(/^AI: /gm)?.length).toBeGreaterThan(1);
        if (name !== 'cut-off') expect([name, record.ended_reason]).not.toEqual([name, 'model_error']);
        else expect(record.transcript).toMatch(/went wrong on my side|technical problem/);
        if (name === 'filtered') expect(record.transcript).toMatch(/cannot finish that answer/);
      }),
    );
  });
});
