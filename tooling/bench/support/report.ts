import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Finding } from './findings.js';
import { cellsOf, HEADER } from './table.js';

const FOLDER = 'docs/build/benchmarks';

/** Writes the page of a benchmark in docs/build/benchmarks. @param load of the machine at the start, one minute */
export function writeReport(name: string, findings: readonly Finding[], load: number): void {
  writeFileSync(`${FOLDER}/${name}.md`, `${pageOf(name, findings, load)}\n`);
}

export const currentLoad = (): number => loadavg()[0] ?? 0;

function pageOf(name: string, findings: readonly Finding[], load: number): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${memory} GB, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const rows = [HEADER, HEADER.map(() => '---'), ...findings.map(cellsOf)];
  return [
    `# Benchmark: ${name}`,
    `${date}; ${machine}; load ${load.toFixed(1)} at the beginning.`,
    rows.map((row) => `| ${row.join(' | ')} |`).join('\n'),
  ].join('\n\n');
}
