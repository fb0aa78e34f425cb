import { Alert, Anchor, Button, Checkbox, Code, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { isStatus, messageOf } from '#console/api/api-error';
import { api } from '#console/api/client';
import { t } from '#console/texts';
import { keyStore } from './key-store';

/** Checks a key at the API before it is kept. @param reason why another one is needed */
export function SignInForm({ reason = null }: { reason?: string | null }) {
  const [problem, setProblem] = useState(reason);
  const [isChecking, setChecking] = useState(false);
  const form = useForm({
    initialValues: { key: '', isKept: false },
    validate: { key: (value) => (value.trim() === '' ? t.signIn.missing : null) },
  });
  const submit = form.onSubmit(async ({ key, isKept }) => {
    setChecking(true);
    try {
      await api.GET('/user/me', { headers: { authorization: `Bearer ${key.trim()}` } });
      keyStore.signIn(key.trim(), { isKept });
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setChecking(false);
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <PasswordInput
          label={t.signIn.key}
          description={t.signIn.keyHelp}
          placeholder="vac_…"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('key')}
        />
        <Checkbox
          label={t.signIn.keep}
          description={t.signIn.keepHelp}
          {...form.getInputProps('isKept', { type: 'checkbox' })}
        />
        <Button type="submit" loading={isChecking}>
          {t.signIn.submit}
        </Button>
      </Stack>
    </form>
  );
}

function problemOf(error: unknown): string {
  if (isStatus(error, 401)) return t.signIn.wrong;
  return isStatus(error, 403) ? t.signIn.cannotRead : messageOf(error);
}

export function SignInPage({ problem = null }: { problem?: string | null }) {
  return (
    <Stack component="main" maw={400} mx="auto" mt="12vh" px="md" gap="lg">
      <title>{t.signIn.title}</title>
      <div>
        <Title order={1} size="h2">
          {t.signIn.title}
        </Title>
        <Text c="dimmed">{t.signIn.text}</Text>
      </div>
      <SignInForm reason={problem} />
      <Text size="sm" c="dimmed">
        {t.signIn.where} <Code>npm run cli -- tokens create --email you@example.com</Code>.{' '}
        <Anchor href="../docs" underline="always">
          {t.signIn.docs}
        </Anchor>
      </Text>
    </Stack>
  );
}
