import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { isTimeZone } from '#src/common/time/time.js';
import { ASSISTANT, COLUMNS, type NewAssistant } from './assistant-body.js';
import { toAssistant, type AssistantRow } from './assistant-row.js';
import type { Catalogue } from './catalogue.js';
import { firstPage } from './envelope.js';
import { TOOL_COLUMNS, toTool, type ToolRow } from './tools.js';

const PER_PAGE = 10;
const LIVE = 'account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)';
const NAMES = Object.keys(COLUMNS);
const INSERT = `INSERT INTO assistants (account_id, language_id, llm_model_id, ${NAMES.join(', ')})
  VALUES ($1, $2, $3, ${NAMES.map((_, index) => `$${index + 4}`).join(', ')}) RETURNING id`;

export function assistantRoutes(api: FastifyInstance, pool: Pool, catalogue: Catalogue): void {
  api.post<{ Body: NewAssistant }>(
    '/user/assistant',
    { schema: { body: ASSISTANT } },
    async ({ accountId, body }, reply) => {
      const languageId = catalogue.languageIds.get(body.language);
      const model = catalogue.models.get(body.llm_model);
      const known = languageId !== undefined && model && catalogue.voiceIds.has(body.voice_id);
      if (!known || !isTimeZone(body.timezone))
        return reply.status(422).send({ message: 'Validation failed' });
      const values = Object.values(COLUMNS).map((valueOf) => valueOf(body));
      const { rows } = await pool.query<{ id: number }>(INSERT, [accountId, languageId, model.id, ...values]);
      const type = body.calls_direction === 'make' ? 'outbound' : 'inbound';
      const data = {
        id: rows[0]?.id,
        name: body.assistant_name,
        status: 'active',
        type,
        mode: body.engine_type,
      };
      return reply.status(201).send({ message: 'Assistant created successfully', data });
    },
  );

  api.get('/user/assistants/get', async (request) => {
    const { accountId } = request;
    const [page, count] = await Promise.all([
      pool.query<AssistantRow>(
        `SELECT a.*, ARRAY(SELECT tool_id FROM assistant_tools WHERE assistant_id = a.id ORDER BY tool_id) AS tool_ids,
                ARRAY(SELECT label_id FROM assistant_labels WHERE assistant_id = a.id ORDER BY label_id) AS label_ids
           FROM assistants a WHERE ${LIVE} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET 0`,
        [accountId, null, PER_PAGE],
      ),
      pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM assistants WHERE ${LIVE}`, [
        accountId,
        null,
      ]),
    ]);
    const toolIds = [...new Set(page.rows.flatMap(({ tool_ids }) => tool_ids))];
    const tools = await pool.query<ToolRow>(
      `SELECT ${TOOL_COLUMNS} FROM tools WHERE account_id = $1 AND id = ANY($2) ORDER BY id`,
      [accountId, toolIds],
    );
    const toolById = new Map(tools.rows.map((row) => [row.id, toTool(row)]));
    const data = page.rows.map((row) => toAssistant(row, catalogue, toolById));
    return firstPage(request, data, count.rows[0]?.count ?? 0, PER_PAGE);
  });
}
