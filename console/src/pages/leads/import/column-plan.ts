import { normalizeColumnName } from '../../../../../src/common/csv/column-names';
import { t } from '#console/texts';
import { ADDED } from './added-columns';
import type { CsvHead } from './csv-file';

export type ColumnKind = 'phone' | 'contact' | 'timezone' | 'variable' | 'none';

/** What a column of the file becomes. */
export interface ColumnPlan {
  kind: ColumnKind;
  /** Of the variable. */
  name: string;
}

const PLACEHOLDER = /\{\{?([\p{L}\p{N}_][^{}\r\n]{0,63})\}\}?/gu;
const OF_SYSTEM = new Set([
  'customer_phone',
  'assistant_phone',
  'assistant_name',
  'current_date',
  'current_time',
]);

/** The names of the variables that a prompt uses. */
export const variablesOf = (prompt: string): string[] => [
  ...new Set(
    [...prompt.matchAll(PLACEHOLDER)]
      .map(([, name = '']) => name.trim())
      .filter((name) => !OF_SYSTEM.has(name)),
  ),
];

/** What the service would take the columns as; a variable that the prompt has under nearly the same name gets that one. */
export function proposePlan({ names, known }: CsvHead, used: readonly string[]): ColumnPlan[] {
  return names.map((written, column) => {
    const taken = known[column];
    const name = used.find((one) => normalizeColumnName(one) === normalizeColumnName(written)) ?? written;
    if (taken === 'phone_number') return { kind: 'phone', name };
    if (taken === 'timezone') return { kind: 'timezone', name };
    if (taken != null) return { kind: 'contact', name };
    const isOurs = column >= names.length - ADDED.length && ADDED.includes(written);
    return { kind: written === '' || isOurs ? 'none' : 'variable', name };
  });
}

/** The names that the file is sent with; an empty one leaves the column out. */
export function namesOf(plan: readonly ColumnPlan[]): string[] {
  let contacts = 0;
  return plan.map(({ kind, name }) => {
    if (kind === 'phone') return 'phone_number';
    if (kind === 'contact') return `secondary_phone_${++contacts}`;
    if (kind === 'timezone') return 'timezone';
    return kind === 'variable' ? name.trim() : '';
  });
}

/** Why the plan cannot be sent; null: it can. */
export function problemOf(plan: readonly ColumnPlan[]): string | null {
  const { problems } = t.leads.importing;
  if (!plan.some(({ kind }) => kind === 'phone')) return problems.noNumber;
  if (plan.some(({ kind, name }) => kind === 'variable' && name.trim() === '')) return problems.name;
  const names = namesOf(plan).filter((name) => name !== '');
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return repeated === undefined ? null : problems.twice(repeated);
}
