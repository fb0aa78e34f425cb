import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import QueryStream from 'pg-query-stream';
import { toE164 } from '#src/common/phone/phone.js';
import { leadJsonSql, LEADS_WITH_CAMPAIGN } from '#src/modules/leads/leads.repository.js';

interface Contact {
  phone_number: string;
  variables: Record<string, unknown>;
}

interface NewLead extends Contact {
  campaign_id: number;
  allow_dupplicate: boolean;
  secondary_contacts: Contact[];
}

const NUMBER = { type: 'string', minLength: 1, maxLength: 64 };
const VARIABLES = { type: 'object', additionalProperties: true, default: {} };
const CONTACT = {
  type: 'object',
  required: ['phone_number'],
  properties: { phone_number: NUMBER, variables: VARIABLES },
};
const LEAD = {
  type: 'object',
  required: ['phone_number', 'campaign_id'],
  properties: {
    phone_number: NUMBER,
    campaign_id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    variables: VARIABLES,
    allow_dupplicate: { type: 'boolean', default: false },
    secondary_contacts: { type: 'array', maxItems: 100, items: CONTACT, default: [] },
  },
};

/** Inserts a main lead with its contacts if the number is new in the campaign; locks the campaign. */
const INSERT = `
  WITH campaign AS MATERIALIZED (
    SELECT id, name FROM campaigns WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE),
  lead AS (
    INSERT INTO leads (account_id, campaign_id, phone_number, variables) SELECT $1, id, $3, $4 FROM campaign
    ON CONFLICT (campaign_id, phone_number) WHERE main_lead_id IS NULL AND NOT is_duplicate DO NOTHING
    RETURNING *),
  contact AS (
    INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number, variables)
    SELECT $1, $2, lead.id, c.value ->> 'phone_number', c.value -> 'variables'
      FROM lead, jsonb_array_elements($5::jsonb) WITH ORDINALITY AS c (value, position)
     ORDER BY c.position
    RETURNING *)
  SELECT ${leadJsonSql('contact')} AS lead FROM lead l, campaign c`;

const LIST = `SELECT ${leadJsonSql()}::text FROM ${LEADS_WITH_CAMPAIGN}
  WHERE l.account_id = $1 AND l.main_lead_id IS NULL ORDER BY l.created_at DESC, l.id DESC`;
const BATCH_ROWS = 200;

export function leadRoutes(api: FastifyInstance, pool: Pool): void {
  api.post<{ Body: NewLead }>(
    '/user/lead',
    { schema: { body: LEAD } },
    async ({ accountId, body }, reply) => {
      const contacts = body.secondary_contacts.map(formatted);
      const { phone_number, variables } = formatted(body);
      if ([phone_number, ...contacts.map((contact) => contact.phone_number)].includes('')) {
        return reply.status(422).send({ message: 'The given data was invalid.' });
      }
      const { rows } = await pool.query<{ lead: object }>(INSERT, [
        accountId,
        body.campaign_id,
        phone_number,
        JSON.stringify(variables),
        JSON.stringify(contacts),
      ]);
      if (!rows[0]) return reply.status(422).send({ message: 'The given data was invalid.' });
      return { message: 'Lead created successfully', data: rows[0].lead };
    },
  );

  api.get('/user/leads', async ({ accountId }, reply) => {
    const client = await pool.connect();
    const rows = client.query(
      new QueryStream(LIST, [accountId], { batchSize: BATCH_ROWS, rowMode: 'array' }),
    );
    const text = Readable.from(joined(rows), { objectMode: false });
    text.once('close', () => client.release());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

const formatted = ({ phone_number, variables }: Contact): Contact => ({
  phone_number: toE164(phone_number, 'US') ?? '',
  variables,
});

/** One chunk per batch of the cursor. */
async function* joined(rows: AsyncIterable<[string]>): AsyncGenerator<string> {
  let batch: string[] = [];
  let opening = '[';
  for await (const [element] of rows) {
    if (batch.push(element) < BATCH_ROWS) continue;
    yield opening + batch.join(',');
    opening = ',';
    batch = [];
  }
  yield (batch.length > 0 || opening === '[' ? opening : '') + batch.join(',') + ']';
}
