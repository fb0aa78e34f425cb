import { CsvScanner } from '../../../../src/common/csv/csv-scanner';
import { errorOf } from '#console/api/api-error';
import { patientFetch } from '#console/api/patient-fetch';
import { API_PATH } from '#console/api/place';
import { keyStore } from '#console/session/key-store';

/** Different values of a field that are counted; further ones are counted together. */
const MOST_VALUES = 1_000;

export interface FieldCounts {
  /** How often each value was given. */
  values: Map<string, number>;
  /** Of values beyond those that are counted. */
  others: number;
}

/**
 * What the last calls to the leads of a campaign came to, by field of the evaluation: counted while the export of the
 * campaign is read, since the analytics have no sums of a campaign's fields.
 */
export async function countResults(
  campaignId: number,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, FieldCounts>> {
  const response = await patientFetch(
    new Request(`${API_PATH}/user/campaigns/${campaignId}/export`, {
      headers: { authorization: `Bearer ${keyStore.get().key}` },
      signal,
    }),
  );
  if (response.status === 401) keyStore.refuse(keyStore.get().key);
  if (!response.ok || !response.body) throw await errorOf(response);
  const counts = new Map(
    fields.map((name): [string, FieldCounts] => [name, { values: new Map(), others: 0 }]),
  );
  const scanner = new CsvScanner({ separator: ',', lineEnd: '\n' });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let column = -1;
  for (;;) {
    const { done, value } = await reader.read();
    for (const row of done ? scanner.end() : scanner.read(value)) {
      if (!('values' in row)) continue;
      if (column < 0) column = row.values.indexOf('evaluation');
      else count(counts, row.values[column] ?? '');
    }
    if (done) return counts;
  }
}

function count(counts: Map<string, FieldCounts>, evaluation: string): void {
  const values = readObject(evaluation);
  for (const [name, field] of counts) {
    const value = values[name];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const text = String(value);
    const former = field.values.get(text);
    if (former === undefined && field.values.size >= MOST_VALUES) field.others++;
    else field.values.set(text, (former ?? 0) + 1);
  }
}

/** Of a lead without a call, or of a cell that is no JSON, nothing. */
function readObject(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
