/** A column's name as people write it (`Phone Number`, `phone-number:`, `Téléphone`), in the form `phone_number`. */
export const normalizeColumnName = (written: string): string =>
  written
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Names of the column of phone numbers. The first one takes precedence; the others are variables beside it. */
const NUMBER_COLUMNS = [
  'phone_number',
  'phonenumber',
  'phone',
  'phone_no',
  'telephone',
  'telephone_number',
  'tel',
  'mobile',
  'mobile_number',
  'mobile_phone',
  'cell',
  'cell_phone',
  'telefon',
  'telefonnummer',
  'telefono',
  'telefone',
];
const ZONE_COLUMNS = ['timezone', 'time_zone'];

/**
 * The known name of each column of a header; null: it has none. Where no column is named `phone_number` (`timezone`),
 * the only one with another of its names is the one.
 *
 * @param isKnown further names, in the form of `normalizeColumnName`
 */
export function readColumnNames(
  header: readonly string[],
  isKnown: (name: string) => boolean,
): (string | null)[] {
  const names = header.map(normalizeColumnName);
  const only = (candidates: readonly string[]): number => {
    const [first = ''] = candidates;
    if (names.includes(first)) return -1;
    const found = names.flatMap((name, index) => (candidates.includes(name) ? [index] : []));
    return found.length === 1 ? (found[0] ?? -1) : -1;
  };
  const [number, zone] = [only(NUMBER_COLUMNS), only(ZONE_COLUMNS)];
  return names.map((name, index) => {
    if (index === number) return 'phone_number';
    if (index === zone) return 'timezone';
    return [NUMBER_COLUMNS[0], ZONE_COLUMNS[0]].includes(name) || isKnown(name) ? name : null;
  });
}
