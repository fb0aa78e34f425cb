import { dialledForms, numberForms, type Person } from '#src/common/personal-data.js';

/**
 * SQL condition for calls of an account ($1): those with the number ($2, as it was dialled), web calls with a variable
 * that is the number ($3, as clients write it), and those of which retention has left a hash of it ($4). What is erased
 * is none of them any more.
 */
export const OF_PERSON = `account_id = $1 AND (client_phone_number = ANY($2) OR number_hashes && $4
  OR (type = 'web' AND erased_at IS NULL AND EXISTS (
    SELECT FROM jsonb_each_text(variables) AS variable WHERE variable.value = ANY($3))))`;

export const valuesOf = (person: Person): unknown[] => [
  person.accountId,
  dialledForms(person),
  numberForms(person),
  person.numberHashes,
];
