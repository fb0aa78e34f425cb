import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { useState } from 'react';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { useSearchChange } from './use-search-change';
import { useFilterValue } from './search-filters';

/** `date_from` and `date_to` of the address: days of the account's zone. @param labelOf names what happened on them */
export function FilterDays({ labelOf = t.list.days }: { labelOf?: (zone: string) => string }) {
  const { times } = useSession();
  const from = useFilterValue('date_from') || null;
  const to = useFilterValue('date_to') || null;
  const change = useSearchChange();
  const [first, setFirst] = useState<string | null>(null);
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      size="xs"
      w={200}
      clearable
      label={labelOf(times.zone)}
      placeholder={t.list.any}
      valueFormat="D MMM YYYY"
      value={first === null ? [from, to] : [first, null]}
      onChange={([begin, end]) => {
        // After the first of two clicks there is no range yet.
        const isHalf = begin !== null && end === null;
        setFirst(isHalf ? begin : null);
        if (!isHalf) change({ date_from: begin ?? undefined, date_to: end ?? undefined, page: undefined });
      }}
    />
  );
}
