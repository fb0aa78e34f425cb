import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { documentedOrder, structureProblems } from './structure.mjs';

const problemsOf = (...files: [path: string, text: string][]): string[] =>
  (structureProblems as (files: object[]) => string[])(files.map(([path, text]) => ({ path, text })));

const CAMPAIGNS: [string, string] = ['src/modules/campaigns/campaign.types.ts', 'export const A = 1;'];

describe('check:structure', () => {
  it('accepts an import from a part above in the list', () => {
    const importing = `import { A } from '../campaigns/campaign.types.js';`;
    expect(problemsOf(CAMPAIGNS, ['src/modules/leads/lead.types.ts', importing])).toEqual([]);
  });

  it.each([
    ['relative', 'src/modules/tools/tool.types.ts', `import { A } from '../campaigns/campaign.types.js';`],
    ['aliased', 'src/events/events.ts', `import { A } from '#src/modules/campaigns/campaign.types.js';`],
    ['dynamic', 'src/common/a.ts', `await import('#src/modules/campaigns/campaign.types.js');`],
    ['type-only', 'src/modules/tools/a.ts', `import type { A } from '../campaigns/campaign.types.js';`],
  ])('refuses a %s import from a part that stands above', (_, path, text) => {
    expect(problemsOf(CAMPAIGNS, [path, text])).toEqual([
      expect.stringMatching(/modules\/campaigns stands above/),
    ]);
  });

  it.each([
    ["another module's entity", '../campaigns/entities/campaign.entity.js'],
    ["another module's request DTO", '../campaigns/dto/campaign-input.dto.js'],
    ["the carrier's adapter", '../telephony/twilio/twilio-urls.service.js'],
    ['Bull', 'bull'],
    ['the sandbox', '../../../tooling/sandbox/sandbox.js'],
  ])('refuses %s', (_, specifier) => {
    expect(problemsOf(['src/modules/leads/a.ts', `import { A } from '${specifier}';`])).toHaveLength(1);
  });

  it('refuses an import of the service in the sandbox', () => {
    expect(problemsOf(['tooling/sandbox/a.ts', `import { A } from '#src/common/a.js';`])).toHaveLength(1);
  });

  it('refuses a folder that is not in the list', () => {
    const importing = `import { A } from '../campaigns/campaign.types.js';`;
    expect(problemsOf(CAMPAIGNS, ['src/modules/new-one/a.ts', importing])).toHaveLength(1);
  });

  it('refuses a service file without a service of its name', () => {
    expect(problemsOf(['src/modules/leads/leads.service.ts', 'export class Leads {}'])).toEqual([
      'src/modules/leads/leads.service.ts holds no class LeadsService',
    ]);
  });

  it('refuses an injectable without a known suffix', () => {
    const text = `import { Injectable } from '@nestjs/common';\n@Injectable()\nexport class LeadList {}`;
    expect(problemsOf(['src/modules/leads/lead-list.ts', text])).toEqual([
      'src/modules/leads/lead-list.ts: the injectable LeadList has none of the known suffixes',
    ]);
  });

  it.each(['Injectable()', "Controller('user')", "JobProcessor('call-wrap-up')"])(
    'refuses more than seven dependencies of a class with @%s',
    (decorator) => {
      const withDependencies = (count: number): [string, string] => {
        const parameters = Array.from({ length: count }, (_, n) => `private readonly d${n}: D${n}`).join(
          ', ',
        );
        const declaration = `export class LeadsService { constructor(${parameters}) {} }`;
        return ['src/modules/leads/leads.service.ts', `@${decorator}\n${declaration}`];
      };
      expect(problemsOf(withDependencies(7))).toEqual([]);
      expect(problemsOf(withDependencies(8))).toEqual([
        'src/modules/leads/leads.service.ts: LeadsService has 8 dependencies, the limit is 7',
      ]);
    },
  );

  describe('of SQL', () => {
    const LEADS: [string, string] = [
      'src/modules/leads/entities/lead.entity.ts',
      "@Entity('leads') class Lead {}",
    ];
    const view = (folder: string): [string, string] => [
      `src/modules/leads/${folder}/open_leads.sql`,
      'CREATE OR REPLACE VIEW open_leads AS SELECT id FROM leads;',
    ];

    it.each([
      ['a query', "db.query('SELECT 1 FROM leads WHERE id = $1')"],
      ['a join in a template', 'const sql = `SELECT ${x} FROM calls JOIN leads ON true`;'],
      ['a list of tables', "const sql = 'SELECT 1 FROM calls c, leads WHERE true';"],
      ['a longer list', "const sql = 'SELECT 1 FROM calls c, (SELECT 1) d, calls AS e, leads l';"],
      ['a list behind ONLY', "const sql = 'SELECT 1 FROM calls, ONLY leads';"],
      ['a subquery', "const sql = 'SELECT (SELECT count(*) FROM ( leads )) FROM calls';"],
      ['an alias of an own table', "const sql = 'SELECT leads.id FROM calls leads';"],
      ['a common table', "const sql = 'WITH leads AS (SELECT 1) SELECT * FROM leads';"],
      ['a quoted name', `const sql = 'SELECT 1 FROM calls, "leads"';`],
      ['a name with its schema', "const sql = 'SELECT 1 FROM public.leads';"],
      ['quoted with its schema', `const sql = 'DELETE FROM "public"."leads"';`],
      ['capitals', "const sql = 'SELECT 1 FROM Leads';"],
      ['small letters', "const sql = 'select 1 from leads';"],
      ['a write', "db.query('UPDATE leads SET zone = NULL')"],
      ['INSERT', "db.query('INSERT INTO leads SELECT * FROM calls')"],
      ['DELETE … USING', "db.query('DELETE FROM calls USING calls a, leads b WHERE a.id = b.id')"],
      ['UPDATE … FROM', "db.query('UPDATE calls SET a = 1 FROM calls b CROSS JOIN leads')"],
      ['MERGE', "db.query('MERGE INTO calls USING leads ON true WHEN MATCHED THEN DELETE')"],
      ['TRUNCATE', "db.query('TRUNCATE calls, leads')"],
      ['LOCK', "db.query('LOCK calls, leads IN SHARE MODE')"],
      ['a row type', "db.query('SELECT * FROM jsonb_populate_recordset(NULL::leads, $1)')"],
      ['the name as a text', "db.query(`SELECT to_regclass('leads')`)"],
      ['a comment before it', "db.query('SELECT 1 FROM /* all */ leads')"],
      ['a constant', "const TABLE = 'leads'; db.query(`SELECT 1 FROM ${TABLE}`);"],
      ['a choice', "db.query(`SELECT 1 FROM ${mine ? 'calls' : 'leads'}`);"],
      ['a sum of texts', "db.query('SELECT 1 FROM ' + 'leads' + ' WHERE id = $1');"],
      ['a query builder', "db.createQueryBuilder().from('leads', 'l')"],
      [
        'a join of a query builder',
        "query.innerJoinAndMapOne('a.b', 'leads', 'l'); query.innerJoin('leads', 'l')",
      ],
      ['a method of the entity manager', "tx.delete('leads', { id })"],
    ])("refuses another module's table in %s", (_, text) => {
      expect(problemsOf(LEADS, ['src/modules/calls/a.ts', text])).toEqual([
        expect.stringContaining('src/modules/calls/a.ts names leads: a table of modules/leads'),
      ]);
      expect(problemsOf(LEADS, ['src/modules/leads/a.ts', text])).toEqual([]);
    });

    it.each([
      [
        'a function',
        'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT id FROM leads $$;',
      ],
      [
        'a statement that a function builds',
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('DELETE FROM %I', 'leads'); END $$;",
      ],
      [
        'a variable of a function',
        'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE l leads%ROWTYPE; BEGIN END $$;',
      ],
      ['a trigger', 'CREATE OR REPLACE TRIGGER t AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION f();'],
      ['a view', 'CREATE OR REPLACE VIEW v AS SELECT 1 FROM calls c JOIN calls d ON true, leads;'],
    ])('refuses it in %s', (_, text) => {
      expect(problemsOf(LEADS, ['src/modules/calls/sql/f.sql', text])).toHaveLength(1);
      expect(problemsOf(LEADS, ['src/modules/leads/sql/f.sql', text])).toEqual([]);
    });

    it.each(["@Entity({ name: 'leads' }) class Lead {}", '@Entity("leads") class Lead {}'])(
      'recognises the table of %s',
      (entity) => {
        const query: [string, string] = ['src/modules/calls/a.ts', "db.query('SELECT 1 FROM leads')"];
        expect(problemsOf(['src/modules/leads/a.ts', entity], query)).toHaveLength(1);
      },
    );

    it('accepts views and functions that are published, and no others', () => {
      const query: [string, string] = ['src/modules/calls/a.ts', "db.query('SELECT 1 FROM open_leads')"];
      expect(problemsOf(LEADS, view('sql/published'), query)).toEqual([]);
      expect(problemsOf(LEADS, view('sql'), query)).toEqual([
        expect.stringContaining('modules/leads does not publish it'),
      ]);
    });

    it('accepts the name of a table that is not used as a table in the statement', () => {
      const texts = [
        'db.query("SELECT 1 FROM calls WHERE part = \'leads\'")',
        "db.query('SELECT 1 FROM calls -- the leads of which')",
        "throw new Error('no campaign has leads');",
        "parts.get('leads')",
        "@ForeignKey('leads') class Call {}",
      ];
      expect(texts.flatMap((text) => problemsOf(LEADS, ['src/modules/calls/a.ts', text]))).toEqual([]);
    });
  });

  it('reads the order from the documentation', () => {
    expect(
      documentedOrder('# A\n\n## Order of the parts\n\n1. `common`: x\n2. `config`\n\n## B\n\n3. `c`'),
    ).toEqual(['common', 'config']);
  });
});
