/**
 * Part of npm run check:structure. A statement may use only the tables of its own module, and the published views and
 * functions of other modules. A table belongs to the module with its entity, a view or function to the module with
 * its `.sql` file. Every word of a statement counts, in any position: no other name may equal the name of another
 * module's table.
 */
import ts from 'typescript';

/** A text with one of these is part of a statement. SQL keywords are upper case. */
const KEYWORD =
  /\b(SELECT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE|LOCK|COPY|CREATE|ALTER|DROP|TABLE|FROM|JOIN|USING|INTO|WHERE|AND|OR|NOT|ON|IN|AS|SET|VALUES|EXISTS|RETURNING|PERFORM|EXECUTE)\b/;
/** Lower-case keywords are detected too. */
const SMALL_STATEMENT =
  /^\s*(select\s[^]*\sfrom\s|(insert|merge)\s+into\s|update\s+\S+(\s+\w+)?\s+set\s|delete\s+from\s|truncate\s|with\s+\w+\s+as\s*\()/i;
const COMMENT_OR_VALUE = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g;
/** After these a quoted text may be the name of a table. */
const NAMES_BY_TEXT = /regclass|\bEXECUTE\b|\bformat\s*\(/i;
const WORD = /[a-z_][\w$]*/gi;
const ENTITY = /@Entity\(\s*(?:\{\s*name:\s*)?['"](\w+)['"]/g;
const OBJECT = /CREATE (?:OR REPLACE )?(?:MATERIALIZED )?(?:VIEW|FUNCTION|PROCEDURE) (?:public\.)?"?(\w+)/g;
/** Methods of TypeORM whose first argument may be the name of a table: `createQueryBuilder('leads', …)`. */
const TAKES_TABLE =
  /^(createQueryBuilder|getRepository|from|addFrom|into|insert|update|upsert|delete|softDelete|restore|find\w*|count\w*|exists\w*|increment|decrement|\w+Join\w*)$/;

/**
 * Migrations create the tables of all modules, and the first start fills some. The doctor examines a database before
 * its migrations, possibly without views.
 */
const UNCHECKED = /^src\/(database\/(migrations|history|seed)|cli\/doctor)\//;

/**
 * @param {{path: string, text: string}[]} files `.ts` and `.sql` of `src`
 * @returns {string[]} one line for each problem
 */
export function sqlProblems(files) {
  const sources = files.filter(({ path }) => path.startsWith('src/') && !UNCHECKED.test(path));
  const tables = new Map();
  const objects = new Map();
  for (const { path, text } of sources) {
    for (const [, name] of text.matchAll(ENTITY)) tables.set(name, ownerOf(path));
    if (!path.endsWith('.sql')) continue;
    const owner = { module: ownerOf(path), published: path.includes('/sql/published/') };
    for (const [, name] of text.matchAll(OBJECT)) objects.set(name, owner);
  }
  return sources.flatMap(({ path, text }) => {
    const names = new Set(statementsOf(path, text).flatMap(wordsOf));
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

/** Without comments, and without quoted values other than statements and names of tables. */
function wordsOf(statement) {
  const namesByText = NAMES_BY_TEXT.test(statement);
  const sql = statement.replace(COMMENT_OR_VALUE, (part) =>
    part.startsWith("'") && (namesByText || isSql(part.slice(1, -1))) ? part : ' ',
  );
  return [...sql.matchAll(WORD)].map(([word]) => word.toLowerCase());
}

const isSql = (text) => KEYWORD.test(text) || SMALL_STATEMENT.test(text);

/** SQL texts with their interpolated values, and names of tables passed as values: `table: 'leads'`. */
function statementsOf(path, text) {
  if (path.endsWith('.sql')) return [text];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(source);
  const found = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) && takesTable(node)) found.push(node.text);
    if (isText(node) && !isText(node.parent)) {
      const whole = textOf(node, constants);
      if (isSql(whole)) found.push(whole);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken);

/** The static part of an expression; the rest is a blank parameter. */
function textOf(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => textOf(expression, constants) + literal.text,
    );
    return node.head.text + spans.join('');
  }
  if (isText(node)) return textOf(node.left, constants) + textOf(node.right, constants);
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, constants);
  if (ts.isConditionalExpression(node))
    return `${textOf(node.whenTrue, constants)} ${textOf(node.whenFalse, constants)}`;
  return constants.get(node.getText()) ?? ' ? ';
}

/** Text constants of the file: `const TABLE = 'leads'`. */
function constantsOf(source) {
  const constants = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && isText(node.initializer))
      constants.set(node.name.getText(), textOf(node.initializer, constants));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return constants;
}

function takesTable(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'table';
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const { expression } = parent;
  return ts.isPropertyAccessExpression(expression) && TAKES_TABLE.test(expression.name.text);
}
