/**
 * Part of npm run check:structure. A statement names the tables of its own module, and views and functions that a
 * module publishes. A table belongs to the module with its entity, a view or function to the one with its `.sql` file.
 */
import ts from 'typescript';

const NAME = '"?([a-z_][a-z0-9_]*)"?';
const ALIAS = String.raw`(?:\s+(?:AS\s+)?[a-z_]\w*)?`;
/** Words before the name of a table or view. Keywords of SQL are written in capitals. */
const RELATION = new RegExp(String.raw`\b(?:FROM|JOIN|UPDATE|INTO|USING|TABLE)\s+(?:ONLY\s+)?${NAME}`, 'g');
/** The second table of `FROM one a, other b`. */
const NEXT_RELATION = new RegExp(String.raw`\b(?:FROM|USING)\s+${NAME}${ALIAS}\s*,\s*${NAME}`, 'g');
/** `CREATE TRIGGER … ON table`. */
const TRIGGER = new RegExp(String.raw`\bTRIGGER\s[^;]*?\sON\s+${NAME}`, 'g');
const CALL = /\b([a-z_][a-z0-9_]*)\s*\(/g;
const COMMON_TABLE = new RegExp(
  String.raw`${NAME}(?:\s*\([^()]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(`,
  'g',
);
const KEYWORD = /\b(SELECT|INSERT|UPDATE|DELETE|FROM|JOIN|WHERE|AND|SET|VALUES)\b/;
const COMMENT = /--[^\n]*/g;
/** Calls and properties whose text is the name of a table: `createQueryBuilder('leads', …)`, `table: 'leads'`. */
const TAKES_TABLE = /^(createQueryBuilder|getRepository|from|into|update|innerJoin|leftJoin|table)$/;

/** Migrations make the tables of all modules, and commands of operators work on them. */
const UNCHECKED = /^src\/(database|cli)\//;

/**
 * @param {{path: string, text: string}[]} files `.ts` and `.sql` of `src`
 * @returns {string[]} one line for each problem
 */
export function sqlProblems(files) {
  const sources = files.filter(({ path }) => path.startsWith('src/') && !UNCHECKED.test(path));
  const tables = new Map();
  const objects = new Map();
  for (const { path, text } of sources) {
    for (const [, name] of text.matchAll(/@Entity\(\s*'(\w+)'/g)) tables.set(name, ownerOf(path));
    if (!path.endsWith('.sql')) continue;
    const owner = { module: ownerOf(path), published: path.includes('/sql/published/') };
    for (const [, name] of text.matchAll(/CREATE (?:OR REPLACE )?(?:VIEW|FUNCTION) (\w+)/g))
      objects.set(name, owner);
  }
  return sources.flatMap(({ path, text }) => {
    const names = new Set(statementsOf(path, text).flatMap(namesIn));
    return [...names].flatMap((name) => {
      const problem = problemOf(name, ownerOf(path), tables, objects);
      return problem ? [`${path} names ${name}: ${problem}`] : [];
    });
  });
}

function problemOf(name, module, tables, objects) {
  const table = tables.get(name);
  if (table !== undefined && table !== module)
    return `a table of ${table}; ask its service, or name a view or function that it publishes`;
  const object = objects.get(name);
  if (object !== undefined && object.module !== module && !object.published)
    return `${object.module} does not publish it: it is not in its folder sql/published`;
  return null;
}

/** `src/modules/calls/…` → `modules/calls`, `src/events/…` → `events`. */
function ownerOf(path) {
  const [, first, second] = path.split('/');
  return first === 'modules' ? `modules/${second}` : first;
}

function namesIn({ text, isTable }) {
  if (isTable) return [text];
  const sql = text.replace(COMMENT, '');
  const defined = new Set([...sql.matchAll(COMMON_TABLE)].map(([, name]) => name));
  return [
    ...[...sql.matchAll(RELATION), ...sql.matchAll(TRIGGER), ...sql.matchAll(CALL)].map(([, name]) => name),
    ...[...sql.matchAll(NEXT_RELATION)].map(([, , name]) => name),
  ].filter((name) => !defined.has(name));
}

/** Texts with keywords of SQL, `${…}` replaced by a blank, and names of tables that are passed as such. */
function statementsOf(path, text) {
  if (path.endsWith('.sql')) return [{ text }];
  const found = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) {
      if (takesTable(node.parent)) found.push({ text: node.text, isTable: true });
      else if (KEYWORD.test(node.text)) found.push({ text: node.text });
    } else if (ts.isTemplateExpression(node)) {
      const whole = node.head.text + node.templateSpans.map(({ literal }) => ` ? ${literal.text}`).join('');
      if (KEYWORD.test(whole)) found.push({ text: whole });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function takesTable(parent) {
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'table';
  if (!ts.isCallExpression(parent)) return false;
  const called = parent.expression;
  return TAKES_TABLE.test(ts.isPropertyAccessExpression(called) ? called.name.text : called.getText());
}
