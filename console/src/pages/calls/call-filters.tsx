import { FilterDays } from '#console/components/filter-days';
import {
  FilterAssistant,
  FilterCampaign,
  FilterSelect,
  FilterText,
  optionsOf,
} from '#console/components/search-filters';
import { t } from '#console/texts';

export function CallFilters() {
  const { filters, statuses, types } = t.calls;
  return (
    <>
      <FilterText name="phone_number" label={filters.phone} placeholder="+1 500 555 …" />
      <FilterSelect
        name="status"
        label={filters.status}
        data={[{ value: 'running', label: filters.running }, ...optionsOf(statuses)]}
      />
      <FilterSelect name="type" label={filters.type} data={optionsOf(types)} w={120} />
      <FilterAssistant />
      <FilterCampaign />
      <FilterText name="lead_id" label={filters.lead} inputMode="numeric" w={100} />
      <FilterDays />
    </>
  );
}
