import { describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen } from '../factories/call.js';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';

const GREETS = '+15005550020';

it('shows the turns of a call with times, latencies and tokens', async () => {
  const user = await anAccount();
  const assistant = await anAssistant(user, { initial_message: 'Hello, this is Ada.' });
  const id = await aCall(user, assistant, { phoneNumber: GREETS });
  await callWhen(user, id, ({ status }) => status === 'completed');
  type Turn = {
    seq: number;
    role: string;
    text: string;
    timings: Record<string, number | null>;
    latencies?: Record<string, number>;
    model_answers: { prompt_tokens: number }[];
  };
  type Turns = { data: { total_cost: number; turns: Turn[]; next_after_seq: number | null } };
  const { body } = await user.client.get<Turns>(`/user/calls/${id}/turns`);
  const { turns } = body.data;
  expect(body.data).toMatchObject({ call_id: id, status: 'completed', next_after_seq: null });
  expect(body.data.total_cost).toBeGreaterThan(0);
  expect(turns.map(({ seq }) => seq)).toEqual(turns.map(({ seq }) => seq).sort((a, b) => a - b));
  expect(turns[0]).toMatchObject({ role: 'assistant', interrupted: false });
  expect(turns[0]).not.toHaveProperty('latencies');
  expect(turns[0]?.text).toContain('this is Ada');
  const answer = turns.find(({ role, latencies }) => role === 'assistant' && latencies);
  expect(answer?.timings.text_first).toBe(
    (answer?.timings.prompt ?? 0) + (answer?.latencies?.text_first ?? 0),
  );
  expect(answer?.latencies?.text_first).toBeGreaterThanOrEqual(0);
  expect(turns.flatMap(({ model_answers }) => model_answers).length).toBeGreaterThan(0);

  const rest = await user.client.get<Turns>(`/user/calls/${id}/turns?after_seq=${turns[0]?.seq}`);
  expect(rest.body.data.turns).toEqual(turns.slice(1));
  expect((await user.client.get(`/user/calls/${id}/turns?after_seq=x`)).status).toBe(422);
});

it('shows fillers, and turns from before there were any', async () => {
  const user = await anAccount();
  const assistant = await anAssistant(user, {});
  const id = await aCall(user, assistant, { phoneNumber: BUSY });
  await callWhen(user, id, ({ status }) => status === 'busy');
  await database().query(
    `INSERT INTO call_turns (call_id, seq, role, text) VALUES ($1, 1, 'customer', 'Is Friday free?')`,
    [id],
  );
  await database().query(
    `INSERT INTO call_turns (call_id, seq, role, kind, text, interrupted)
     VALUES ($1, 2, 'assistant', 'filler', 'One', true)`,
    [id],
  );
  type Turns = { data: { turns: Record<string, unknown>[] } };
  const { body } = await user.client.get<Turns>(`/user/calls/${id}/turns`);
  expect(body.data.turns).toEqual([
    expect.objectContaining({ role: 'customer', kind: 'speech', text: 'Is Friday free?' }),
    expect.objectContaining({ role: 'assistant', kind: 'filler', text: 'One', interrupted: true }),
  ]);
  expect(body.data.turns[1]).not.toHaveProperty('latencies');
  const { rows } = await database().query<{ data: Record<string, unknown> }>(
    `SELECT data FROM live_events WHERE call_id = $1 AND kind = 'turn' ORDER BY id`,
    [id],
  );
  expect(rows.map(({ data }) => data['kind'])).toEqual(['speech', 'filler']);
});

describe('turns of a long call', () => {
  it('are shown in pages, with tools and the answers of models in their places', async () => {
    const user = await anAccount();
    const assistant = await anAssistant(user, {});
    const id = await aCall(user, assistant, { phoneNumber: BUSY });
    await callWhen(user, id, ({ status }) => status === 'busy');
    await database().query(
      `INSERT INTO call_turns (call_id, seq, role, text, timings)
       SELECT $1, i, 'customer', 'x' || i, '{"silent": 700.4, "prompt": 1000}' FROM generate_series(2, 500, 2) i`,
      [id],
    );
    await database().query(
      `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms, error)
       SELECT $1, i, 'find', '{"a": [1]}', '{"found": true}', i % 3 = 0, 12, NULL FROM generate_series(3, 99, 2) i`,
      [id],
    );
    await database().query(
      `INSERT INTO call_model_usages (call_id, after_seq, model, prompt_tokens, cached_tokens, completion_tokens)
       SELECT $1, i, 'm', i, 0, 1 FROM generate_series(0, 501) i`,
      [id],
    );
    type Turn = { seq: number; role: string; model_answers: { prompt_tokens: number }[] };
    type Page = { data: { turns: Turn[]; next_after_seq: number | null } };
    const all: Turn[] = [];
    for (let after: number | null = 0; after !== null;) {
      const { body }: Answer<Page> = await user.client.get<Page>(
        `/user/calls/${id}/turns?after_seq=${after}`,
      );
      expect(body.data.turns.length).toBeLessThanOrEqual(200);
      all.push(...body.data.turns);
      after = body.data.next_after_seq;
    }
    expect(all.map(({ seq }) => seq)).toEqual([...new Set(all.map(({ seq }) => seq))].sort((a, b) => a - b));
    expect(all).toHaveLength(250 + 49);
    expect(all[0]).toMatchObject({ seq: 2, role: 'customer', timings: { silent: 700, prompt: 1000 } });
    expect(all[1]).toMatchObject({
      seq: 3,
      role: 'tool',
      text: null,
      tool: {
        name: 'find',
        arguments: { a: [1] },
        status: 'ok',
        status_code: null,
        duration_ms: 12,
        result: '{"found": true}',
      },
    });
    expect(all.flatMap(({ model_answers }) => model_answers.map((used) => used.prompt_tokens))).toEqual(
      Array.from({ length: 502 }, (_, i) => i),
    );
    expect(all.at(-1)?.model_answers.map((used) => used.prompt_tokens)).toEqual([500, 501]);
  });
});
