import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseUrl } from '../support/client.js';
import { run, runBuilt } from '../support/command.js';

const GENERATOR = 'node_modules/openapi-typescript/bin/cli.js';
const COMPILER = 'node_modules/typescript/bin/tsc';
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'nodenext',
    types: [],
  },
  files: ['right.ts', 'wrong.ts'],
};

/** What a user would write around the generated types. */
const CLIENT = `import type { operations } from './api.js';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<Id extends keyof operations> = Json<operations[Id]['requestBody']>;
type AnswerOf<Id extends keyof operations> = operations[Id]['responses'] extends infer Answers
  ? Json<Answers[keyof Answers & (200 | 201)]>
  : never;
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

export declare function send<Id extends keyof operations>(id: Id, body: BodyOf<Id>): Promise<AnswerOf<Id>>;
export declare function list<Id extends keyof operations>(id: Id, query: QueryOf<Id>): Promise<AnswerOf<Id>>;
`;

const RIGHT = `import { list, send } from './client.js';

const lead = await send('createLead', {
  phone_number: '+15005550020',
  campaign_id: 1,
  secondary_contacts: [{ phone_number: '+15005550022', variables: { of: 'Ada' } }],
});
export const campaign: string = lead.data.campaign.name;

export const assistant = {
  assistant_name: 'Front desk',
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-6-luna',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Europe/Berlin',
  initial_message: 'Hello.',
  system_prompt: 'Be kind.',
} as const;
const created = await send('createAssistant', { ...assistant, speech_speed: 1.1, tool_ids: [1] });
export const type: 'inbound' | 'outbound' = created.data.type;

const calls = await list('listCalls', { status: 'no-answer', assistant_id: created.data.id, per_page: 50 });
export const costs: number[] = calls.data.map((call) => call.total_cost);

const sms = await send('sendSms', { from: 1, to: '+15005550006', body: 'Hello' });
export const price: number = sms.data.segments * sms.data.segment_price;
`;

/** Each of these must fail to compile by itself. */
const WRONG = [
  `send('createAssistant', { ...assistant, voice_id: 'x' })`,
  `send('createAssistant', { ...assistant, calls_direction: 'inbound' })`,
  `send('createAssistant', { assistant_name: 'Front desk' })`,
  `send('createLead', { campaign_id: 1 })`,
  `send('createLead', { phone_number: '+15005550020', campaign_id: '1' })`,
  `send('sendSms', { from: 1, to: '+15005550006', body: 5 })`,
  `list('listCalls', { status: 'lost' })`,
  `list('listCalls', { per_page: '50' })`,
];

describe('a client generated from the document of the service', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-client-'));
    const wrong = [
      "import { list, send } from './client.js';",
      "import { assistant } from './right.js';",
      ...WRONG,
    ];
    await Promise.all([
      writeFile(at('package.json'), '{"type":"module"}'),
      writeFile(at('tsconfig.json'), JSON.stringify(TSCONFIG)),
      writeFile(at('client.ts'), CLIENT),
      writeFile(at('right.ts'), RIGHT),
      writeFile(at('wrong.ts'), `${wrong.join(';\n')};\n`),
    ]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('accepts the documented bodies and queries, and no others', async () => {
    // By default the generator makes what has a default required, in requests too.
    const generated = await run(GENERATOR, [
      `${baseUrl()}/docs-json`,
      '--default-non-nullable=false',
      '--output',
      at('api.ts'),
    ]);
    expect(generated).toMatchObject({ code: 0 });
    const { output } = await run(COMPILER, ['--project', folder, '--pretty', 'false']);
    const problems = [...output.matchAll(/^.*?(\w+)\.ts\((\d+),\d+\): error/gm)];
    const places = [...new Set(problems.map(([, file, line]) => `${file} ${line}`))];
    expect(places).toEqual(WRONG.map((_, index) => `wrong ${index + 3}`));
  });

  it('can be generated without a running service: the command prints the same document', async () => {
    const [printed, served] = await Promise.all([
      runBuilt('openapi.js', [], { PORT: new URL(baseUrl()).port }),
      fetch(`${baseUrl()}/docs-json`).then((answer) => answer.json()),
    ]);
    expect([printed.code, printed.problem]).toEqual([0, '']);
    expect(JSON.parse(printed.output)).toEqual(served);
  });
});
