import { Checkbox, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { confirm } from '#console/components/confirm';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { Erasure } from './job-words';
import { PersonNumberInput } from './person-number-input';

const texts = t.personalData.erase;

const ABOVE = [
  <LinkAnchor key="list" to="/personal-data" size="sm">
    {t.personalData.title}
  </LinkAnchor>,
];

/** A person who wants to be forgotten seldom wants to be called. */
const NEW = { phone_number: '', keep_suppressed: true };

export function ErasePage() {
  const { can } = useSession();
  const navigate = useNavigate();
  const save = async (_changed: object, body: typeof NEW): Promise<Erasure | undefined> =>
    (await api.POST('/user/erasures', { body })).data?.data;
  return (
    <>
      <PageHeader title={texts.action} above={ABOVE} />
      <Stack maw={560}>
        <Text>{texts.text}</Text>
        <Text c="dimmed" size="sm">
          {texts.notFound}
        </Text>
        <ApiForm
          isNew
          initialValues={NEW}
          ask={isSure}
          save={save}
          submit={texts.submit}
          forbidden={can('admin') ? null : t.needsScope('admin')}
          onSaved={(job) => {
            const { id, phone_number: number } = job as Erasure;
            notifyDone(texts.requested(number));
            void queryClient.invalidateQueries({ queryKey: ['get', '/user/erasures'] });
            void navigate({ to: '/personal-data', search: { job: String(id) } });
          }}
        >
          {(form) => (
            <Stack>
              <PersonNumberInput {...form.getInputProps('phone_number')} />
              <Checkbox
                label={texts.keep}
                description={texts.keepHelp}
                {...form.getInputProps('keep_suppressed', { type: 'checkbox' })}
              />
            </Stack>
          )}
        </ApiForm>
      </Stack>
    </>
  );
}

/** Without a number the API's message is enough. */
async function isSure({ phone_number: number, keep_suppressed: isKept }: typeof NEW): Promise<boolean> {
  if (number.trim() === '') return true;
  const { title, kept, notKept, text, confirm: verb } = texts.question;
  return confirm({
    title: title(formatPhone(number.trim())),
    text: `${isKept ? kept : notKept} ${text}`,
    confirm: verb,
    isDangerous: true,
  });
}
