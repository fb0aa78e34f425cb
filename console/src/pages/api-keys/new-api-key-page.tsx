import '@mantine/dates/styles.css';
import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useQueryClient } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import { api, type Schemas } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { PageHeader } from '#console/components/page-header';
import { SpendLimitInput } from '#console/components/spend-limit-input';
import { instantOf } from '#console/formats/zoned';
import { useSession, type Scope } from '#console/session/session';
import { t } from '#console/texts';
import { AddressesInput } from './addresses-input';

type NewKey = Schemas['NewApiKeyResponse'];

const ABOVE = [
  <LinkAnchor key="keys" to="/api-keys" size="sm">
    {t.apiKeys.title}
  </LinkAnchor>,
];

export function NewApiKeyPage() {
  const [created, setCreated] = useState<NewKey | null>(null);
  if (created !== null) return <Created apiKey={created} />;
  return (
    <>
      <PageHeader title={t.apiKeys.create} above={ABOVE} />
      <KeyForm onCreated={setCreated} />
    </>
  );
}

function KeyForm({ onCreated }: { onCreated: (key: NewKey) => void }) {
  const { times, can } = useSession();
  const client = useQueryClient();
  const texts = t.apiKeys.form;
  const save = async (_changed: object, { expires_at: day, ...rest }: typeof NEW_KEY): Promise<NewKey> => {
    const expires_at = day && instantOf(`${day} 23:59:59`, times.zone);
    const { data } = await api.POST('/user/api-keys', { body: { ...rest, expires_at } });
    return data?.api_key as NewKey;
  };
  return (
    <Stack maw={520}>
      <ApiForm
        isNew
        initialValues={NEW_KEY}
        save={save}
        submit={t.apiKeys.create}
        forbidden={can('admin') ? null : t.needsScope('admin')}
        onSaved={(key) => {
          void client.invalidateQueries({ queryKey: ['get', '/user/api-keys'] });
          onCreated(key as NewKey);
        }}
      >
        {(form) => (
          <Stack>
            <TextInput
              label={texts.name}
              description={texts.nameHelp}
              data-autofocus
              required
              maxLength={255}
              {...form.getInputProps('name')}
            />
            <Checkbox.Group label={texts.scopes} {...form.getInputProps('scopes')}>
              <Stack gap="xs" mt={6}>
                {Object.entries(t.apiKeys.scopes).map(([scope, meaning]) => (
                  <Checkbox key={scope} value={scope} label={scope} description={meaning} />
                ))}
              </Stack>
            </Checkbox.Group>
            <DatePickerInput
              label={texts.expires}
              description={texts.expiresHelp(times.zone)}
              placeholder={texts.never}
              clearable
              minDate={times.day(new Date())}
              valueFormat="D MMM YYYY"
              presets={PRESETS.map(([label, days]) => ({
                label,
                value: dayjs().add(days, 'day').format('YYYY-MM-DD'),
              }))}
              {...form.getInputProps('expires_at')}
            />
            <AddressesInput {...form.getInputProps('allowed_addresses')} />
            <SpendLimitInput help={t.spendLimit.ofKey} {...form.getInputProps('spend_limit_per_hour')} />
          </Stack>
        )}
      </ApiForm>
    </Stack>
  );
}

const NEW_KEY = {
  name: '',
  scopes: ['read'] as Scope[],
  expires_at: null as string | null,
  allowed_addresses: [] as string[],
  spend_limit_per_hour: null as number | null,
};
const PRESETS: [string, number][] = [
  [t.apiKeys.form.presets.month, 30],
  [t.apiKeys.form.presets.quarter, 90],
  [t.apiKeys.form.presets.year, 365],
];

function Created({ apiKey: { name, token = '' } }: { apiKey: NewKey }) {
  return (
    <>
      <PageHeader title={t.apiKeys.created(name)} above={ABOVE} />
      <Stack maw={640}>
        <Alert color="yellow" role="status">
          {t.apiKeys.once}
        </Alert>
        <Group gap="sm">
          <Code fz="md" aria-label={t.apiKeys.token} style={{ overflowWrap: 'anywhere' }}>
            {token}
          </Code>
          <CopyButton value={token}>
            {({ copied, copy }) => (
              <Button size="xs" onClick={copy}>
                {copied ? t.copied : t.apiKeys.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Text component="div">
          <LinkButton to="/api-keys" variant="default">
            {t.apiKeys.done}
          </LinkButton>
        </Text>
      </Stack>
    </>
  );
}
