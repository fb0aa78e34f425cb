/** A column's name as people write it (`Phone Number`, `phone-number:`, `Téléphone`), in the form `phone_number`. */
export const normalizeColumnName = (written: string): string =>
  written
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const NUMBER = 'phone_number';
const ZONE = 'timezone';
/** Names of the column of phone numbers. The first one takes precedence; the others are variables beside it. */
const NUMBER_COLUMNS = [
  NUMBER,
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
/** `timezone` takes precedence. Other words around the name, such as `offset`, make it another column. */
const ZONE_COLUMN = new RegExp(
  '^(?:(?:lead|leads|contact|customer|client|person|local|own|my|iana|olson|windows|crm)_?)*' +
    '(?:time_?zones?|tz|zeitzone|zona_horaria|fuso_horario|fuseau_horaire)' +
    '(?:_?(?:id|iana|olson|tz|name|code|database|db))*(?:_e_?g_.*)?$',
);

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
  const only = (first: string, isCandidate: (name: string) => boolean): number => {
    if (names.includes(first)) return -1;
    const found = names.flatMap((name, index) => (isCandidate(name) ? [index] : []));
    return found.length === 1 ? (found[0] ?? -1) : -1;
  };
  const number = only(NUMBER, (name) => NUMBER_COLUMNS.includes(name));
  const zone = only(ZONE, (name) => ZONE_COLUMN.test(name));
  return names.map((name, index) => {
    if (index === number) return NUMBER;
    if (index === zone) return ZONE;
    return [NUMBER, ZONE].includes(name) || isKnown(name) ? name : null;
  });
}
