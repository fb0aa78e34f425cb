import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Finding } from './findings.js';
import { cellsOf, HEADER } from './table.js';

const FILE = 'docs/BENCHMARKS.md';
const INTRODUCTION = `# Benchmarks

Written by \`npm run bench\` (all) and \`npm run bench -- NAME --write\` (one). A ratio compares with a peer, or with another size, in the same run; absolute figures are those of the machine. \`NO\`: the target is missed.
`;

/** Replaces the section of a benchmark in docs/BENCHMARKS.md. @param load of the machine when it began, one minute */
export function writeReport(name: string, findings: readonly Finding[], load: number): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const sections = new Map(
    text
      .split(/^(?=## )/m)
      .slice(1)
      .map((section) => [/^## (.*)$/m.exec(section)?.[1] ?? '', section.trim()]),
  );
  sections.set(name, sectionOf(name, findings, load));
  const sorted = [...sections]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, section]) => section);
  writeFileSync(FILE, `${[INTRODUCTION.trim(), ...sorted].join('\n\n')}\n`);
}

export const currentLoad = (): number => loadavg()[0] ?? 0;

function sectionOf(name: string, findings: readonly Finding[], load: number): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${memory} GB, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const rows = [HEADER, HEADER.map(() => '---'), ...findings.map(cellsOf)];
  return [
    `## ${name}`,
    `${date}; ${machine}; load ${load.toFixed(1)} at the beginning.`,
    rows.map((row) => `| ${row.join(' | ')} |`).join('\n'),
  ].join('\n\n');
}
