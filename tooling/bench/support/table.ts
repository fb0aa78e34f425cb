import type { Finding } from './findings.js';

export const HEADER = ['what', 'target', 'peer', 'own', 'ratio', 'met'];

/** The findings as aligned text. */
export function table(findings: readonly Finding[]): string {
  const rows = [HEADER, ...findings.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, column) => align(cell, widths[column] ?? 0, column)).join('  '),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0], rule, ...lines.slice(1)].map((line) => `${line?.trimEnd()}\n`).join('');
}

export const cellsOf = ({ what, target, unit, peer, own, ratio, met }: Finding): string[] => [
  what,
  target,
  peer === undefined ? '' : `${figure(peer)} ${unit}`,
  `${figure(own)} ${unit}`,
  ratio === undefined ? '' : ratio.toFixed(2),
  met === null ? '' : met ? 'yes' : 'NO',
];

/** Numbers are right-aligned. */
const align = (cell: string, width: number, column: number): string =>
  column >= 2 && column <= 4 ? cell.padStart(width) : cell.padEnd(width);

/** Three significant digits; all digits before the decimal point. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const decimals = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(decimals, 3) });
}
