/**
 * npm run docs:names — prints every exported class, function, type and constant of src with the public methods of
 * classes, by folder. Review it from top to bottom: rename a name whose meaning is unclear without the file. `npm run
 * docs:names -- src/modules/sms` prints one folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * @param {{path: string, text: string}} file
 * @returns {{kind: string, name: string, line: number, members: string[]}[]} the exports of the file, in source order
 */
export function exportedNames({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const line = (node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations
        .filter(({ name }) => ts.isIdentifier(name))
        .map(({ name }) => ({ kind: 'const', name: name.text, line: line(name), members: [] }));
    }
    const kind = KINDS[statement.kind];
    if (kind === undefined || statement.name === undefined) return [];
    const members = (statement.members ?? []).filter(isPublicMethod).map(({ name }) => name.getText());
    return [{ kind, name: statement.name.text, line: line(statement.name), members: [...new Set(members)] }];
  });
}

const KINDS = {
  [ts.SyntaxKind.ClassDeclaration]: 'class',
  [ts.SyntaxKind.FunctionDeclaration]: 'function',
  [ts.SyntaxKind.InterfaceDeclaration]: 'interface',
  [ts.SyntaxKind.TypeAliasDeclaration]: 'type',
  [ts.SyntaxKind.EnumDeclaration]: 'enum',
};

const hasModifier = (node, ...kinds) => node.modifiers?.some(({ kind }) => kinds.includes(kind)) ?? false;

const isExported = (statement) => hasModifier(statement, ts.SyntaxKind.ExportKeyword);

const isPublicMethod = (member) =>
  (ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isAccessor(member)) &&
  !ts.isPrivateIdentifier(member.name) &&
  !hasModifier(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword);

/** Source files below `folder`, without tests and type declarations, sorted by path. */
export function sourceFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(path) && !path.includes('/migrations/'))
    .sort((a, b) => dirname(a).localeCompare(dirname(b)) || a.localeCompare(b))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The index as text: a heading for each folder, a line for each name. */
export function nameIndex(files) {
  let folder = '';
  return files
    .flatMap((file) => {
      const lines = exportedNames(file).map(({ kind, name, members }) => {
        const methods = members.length > 0 ? `: ${members.join(', ')}` : '';
        return `  ${kind} ${name}${methods}  (${file.path.slice(dirname(file.path).length + 1)})`;
      });
      if (lines.length === 0) return [];
      const heading = dirname(file.path) === folder ? [] : [`\n${dirname(file.path)}`];
      folder = dirname(file.path);
      return [...heading, ...lines];
    })
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stdout.write(`${nameIndex(sourceFiles(root, process.argv[2] ?? 'src')).trim()}\n`);
}
