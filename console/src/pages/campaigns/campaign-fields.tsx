import {
  Autocomplete,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { $api } from '#console/api/client';
import { namedOptions } from '#console/components/search-filters';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { WeekInput } from './week-input';
import type { Week } from './week-hours';

export interface CampaignValues extends Record<string, unknown> {
  name: string;
  assistant_id: string | null;
  timezone: string | null;
  windows: Week;
  strict_timezones: boolean;
  quiet_hours: boolean;
  max_calls_in_parallel: number;
  max_retries: number;
  retry_interval: number;
  retry_on_voicemail: boolean;
  retry_on_goal_incomplete: boolean;
  goal_completion_variable: string | null;
  mark_complete_when_no_leads: boolean;
  phone_number_ids: string[];
}

const ZONES = Intl.supportedValuesOf('timeZone');

export function CampaignFields({ form }: { form: UseFormReturnType<CampaignValues> }) {
  const { form: words } = t.campaigns;
  const { facts } = useSession();
  const { data: assistants } = $api.useQuery('get', '/user/assistants', {
    params: { query: { type: 'outbound' } },
  });
  const { data: numbers } = $api.useQuery('get', '/user/phone-numbers/all');
  const assistant = assistants?.find(({ id }) => String(id) === form.values.assistant_id);
  const check = (name: keyof CampaignValues) => form.getInputProps(name as string, { type: 'checkbox' });
  return (
    <Stack gap="lg" maw={760}>
      <Fieldset legend={words.groups.basics}>
        <Stack gap="md">
          <TextInput label={words.name} required maxLength={255} {...form.getInputProps('name')} />
          <Select
            label={words.assistant}
            description={words.assistantHelp}
            required
            searchable
            data={namedOptions(assistants)}
            {...form.getInputProps('assistant_id')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={words.groups.hours}>
        <Stack gap="md">
          <WeekInput {...form.getInputProps('windows')} />
          <Autocomplete
            label={words.timezone}
            description={words.timezoneHelp}
            data={ZONES}
            limit={20}
            placeholder={assistant?.timezone}
            {...form.getInputProps('timezone')}
            value={form.values.timezone ?? ''}
          />
          <Checkbox label={words.strict} description={words.strictHelp} {...check('strict_timezones')} />
          <Checkbox label={words.quiet} description={words.quietHelp} {...check('quiet_hours')} />
        </Stack>
      </Fieldset>
      <Fieldset legend={words.groups.retries}>
        <Stack gap="md">
          <Group grow align="flex-end">
            <NumberInput
              label={words.retries}
              description={words.retriesHelp}
              min={1}
              max={5}
              {...form.getInputProps('max_retries')}
            />
            <NumberInput
              label={words.interval}
              description={words.intervalHelp}
              min={10}
              max={4320}
              {...form.getInputProps('retry_interval')}
            />
          </Group>
          <Checkbox label={words.voicemail} {...check('retry_on_voicemail')} />
          <Checkbox label={words.goal} {...check('retry_on_goal_incomplete')} />
          <Autocomplete
            label={words.goalVariable}
            description={words.goalVariableHelp}
            data={assistant?.post_call_schema.map(({ name }) => name) ?? []}
            {...form.getInputProps('goal_completion_variable')}
            value={form.values.goal_completion_variable ?? ''}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={words.groups.more}>
        <Stack gap="md">
          <NumberInput
            label={words.parallel}
            description={words.parallelHelp(facts.plan.max_parallel_calls)}
            min={1}
            max={10}
            w={260}
            {...form.getInputProps('max_calls_in_parallel')}
          />
          <MultiSelect
            label={words.numbers}
            description={words.numbersHelp}
            data={(numbers?.data ?? []).map(({ id, phone_number: phone, nickname }) => ({
              value: String(id),
              label: nickname ? `${formatPhone(phone)} ${nickname}` : formatPhone(phone),
            }))}
            {...form.getInputProps('phone_number_ids')}
          />
          <Checkbox label={words.complete} {...check('mark_complete_when_no_leads')} />
        </Stack>
      </Fieldset>
    </Stack>
  );
}
