import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { LinkAnchor } from '#console/components/links';
import { notifyFailed } from '#console/components/notify';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { runDemo } from './demo';

/** In place of figures while there are none: what the service does, and the shortest way to see it. */
export function Welcome() {
  const { facts, can } = useSession();
  const { welcome } = t.overview;
  return (
    <Stack gap="xl" maw={860} mt="xl">
      <div>
        <Title order={2}>{welcome.title}</Title>
        <Text mt={4}>{welcome.text}</Text>
      </div>
      {facts.carrier.sandbox && can('write') && can('calls') && <Demo />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
        {welcome.steps.map(({ title, text, to, link }, n) => (
          <div key={to}>
            <Title order={3}>
              {n + 1}. {title}
            </Title>
            <Text c="dimmed">{text}</Text>
            <LinkAnchor to={to as '/'}>{link}</LinkAnchor>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Demo() {
  const [isStarting, setStarting] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { welcome } = t.overview;
  const start = async (): Promise<void> => {
    setStarting(true);
    try {
      await runDemo();
      void client.invalidateQueries();
      await navigate({ to: '/live' });
    } catch (error) {
      notifyFailed(welcome.demoFailed, error);
    } finally {
      setStarting(false);
    }
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="md" leftSection={<Play size={16} />} onClick={start} loading={isStarting}>
        {welcome.demo}
      </Button>
      <Text size="sm" c="dimmed">
        {welcome.demoText}
      </Text>
    </Stack>
  );
}
