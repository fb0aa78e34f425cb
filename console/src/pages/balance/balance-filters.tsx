import { FilterDays } from '#console/components/filter-days';
import { FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';

export function BalanceFilters() {
  const { filters, kinds } = t.balance;
  return (
    <>
      <FilterSelect name="kind" label={filters.kind} data={optionsOf(kinds)} w={200} />
      <FilterText name="call_id" label={filters.call} inputMode="numeric" w={120} />
      <FilterDays />
    </>
  );
}
