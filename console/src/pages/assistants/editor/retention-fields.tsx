import { Skeleton, Text } from '@mantine/core';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DayInput, MaskSwitch } from '#console/pages/retention/day-fields';
import { Removals } from '#console/pages/retention/removals';
import {
  ASSISTANT_FIELDS,
  removalsOf,
  rulesFor,
  type AssistantRetention,
} from '#console/pages/retention/retention-rules';
import { t } from '#console/texts';
import type { TabProps } from './tab-settings';

const { ofAssistant: texts, forGood } = t.retention;

const NO_RULES: AssistantRetention = {
  recordings_days: null,
  transcripts_days: null,
  variables_days: null,
  conversations_days: null,
  deliveries_days: null,
  mask_numbers: false,
};

/** How long contents of the assistant are kept, where that is shorter than the account's time. */
export function RetentionTab({ form }: TabProps) {
  const { data, error, refetch } = $api.useQuery('get', '/user/retention');
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton h={420} />;
  const account = data.data;
  const { retention: own } = form.getValues();
  const set = (changes: Partial<AssistantRetention>): void => {
    const next = { ...(own ?? NO_RULES), ...changes };
    const hasRule = ASSISTANT_FIELDS.some((field) => next[field] !== null) || next.mask_numbers;
    form.setFieldValue('retention', hasRule ? next : null);
  };
  const placeholder = (days: number | null): string => (days === null ? forGood : texts.asAccountDays(days));
  return (
    <>
      <div>
        <Text size="sm" c="dimmed">
          {texts.text}
        </Text>
        <LinkAnchor to="/retention" size="sm">
          {texts.account}
        </LinkAnchor>
      </div>
      {form.errors['retention'] !== undefined && (
        <Text c="var(--mantine-color-error)">{form.errors['retention']}</Text>
      )}
      {ASSISTANT_FIELDS.map((name) => (
        <DayInput
          key={name}
          name={name}
          value={own?.[name] ?? null}
          change={(days) => set({ [name]: days })}
          placeholder={placeholder(account[name])}
          error={form.errors[`retention.${name}`]}
        />
      ))}
      <MaskSwitch
        isOn={own?.mask_numbers ?? false}
        change={(isOn) => set({ mask_numbers: isOn })}
        note={account.mask_numbers ? texts.isMasked : undefined}
      />
      <Removals
        removals={removalsOf(rulesFor(account, form.getInitialValues().retention), rulesFor(account, own))}
      />
    </>
  );
}
