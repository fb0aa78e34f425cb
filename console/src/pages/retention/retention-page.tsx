import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { $api, api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { ErrorNote } from '#console/components/error-note';
import { Section } from '#console/components/facts';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { DayInput, MaskSwitch } from './day-fields';
import { NarrowerAssistants } from './narrower-assistants';
import { confirmRemovals, Removals } from './removals';
import { ACCOUNT_FIELDS, removalsOf, type Retention } from './retention-rules';

const texts = t.retention;

export function RetentionPage() {
  const { data, error, refetch } = $api.useQuery('get', '/user/retention');
  return (
    <>
      <PageHeader title={texts.title} text={texts.text} />
      <Stack maw={760} gap="xl">
        {data ? (
          <RetentionForm stored={data.data} />
        ) : error ? (
          <ErrorNote error={error} retry={refetch} />
        ) : (
          <Skeleton h={520} />
        )}
        {data && (
          <Section title={texts.assistants.title} text={texts.assistants.text}>
            <NarrowerAssistants account={data.data} />
          </Section>
        )}
      </Stack>
    </>
  );
}

function RetentionForm({ stored }: { stored: Retention }) {
  const { can } = useSession();
  // What is read again does not change what somebody types.
  const [initialValues] = useState(stored);
  const save = (body: Partial<Retention>) => api.PUT('/user/retention', { body });
  return (
    <ApiForm<Retention>
      initialValues={initialValues}
      ask={(next, former) => confirmRemovals(removalsOf(former, next))}
      save={save}
      forbidden={can('admin') ? null : t.needsScope('admin')}
      onSaved={() => {
        notifyDone(texts.saved);
        void queryClient.invalidateQueries({ queryKey: ['get', '/user/retention'] });
      }}
    >
      {(form) => (
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.range}
          </Text>
          {ACCOUNT_FIELDS.map((name) => (
            <DayInput
              key={name}
              name={name}
              value={form.getValues()[name]}
              change={(days) => form.setFieldValue(name, days)}
              placeholder={name === 'deliveries_days' ? texts.deliveriesDefault : texts.forGood}
              error={form.errors[name]}
            />
          ))}
          <MaskSwitch
            isOn={form.getValues().mask_numbers}
            change={(isOn) => form.setFieldValue('mask_numbers', isOn)}
          />
          <Removals removals={removalsOf(form.getInitialValues(), form.getValues())} />
        </Stack>
      )}
    </ApiForm>
  );
}
