import { Button, Collapse, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { JsonView } from '#console/components/json-view';
import { Sources } from '#console/components/sources';
import { t } from '#console/texts';
import type { Message } from './conversation-words';
import classes from './transcript.module.css';

interface TranscriptProps {
  /** Undefined while they are read. */
  messages: Message[] | undefined;
  /** More may come. */
  isLive: boolean;
}

export function Transcript({ messages, isLive }: TranscriptProps) {
  if (messages === undefined) {
    return (
      <Stack>
        {[70, 50, 80, 40].map((width) => (
          <Skeleton key={width} h={36} w={`${width}%`} />
        ))}
      </Stack>
    );
  }
  if (messages.length === 0) return <Text c="dimmed">{t.conversations.noMessages}</Text>;
  return (
    <ol
      className={classes.messages}
      aria-live={isLive ? 'polite' : undefined}
      aria-label={t.conversations.transcript}
    >
      {messages.map(({ role, content, function_calls: calls = [] }, n) => (
        // Messages only come behind the others.
        <li key={n} className={classes.message}>
          <Text
            size="sm"
            fw={600}
            c={role === 'assistant' ? 'var(--mantine-primary-color-light-color)' : undefined}
          >
            {t.conversations.sides[role]}
          </Text>
          <div style={{ minWidth: 0 }}>
            {calls.map((call, index) => (
              <ToolUse key={index} call={call} />
            ))}
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{content}</Text>
          </div>
        </li>
      ))}
    </ol>
  );
}

function ToolUse({
  call: { name, arguments: given, result },
}: {
  call: NonNullable<Message['function_calls']>[number];
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          leftSection={isOpen ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {t.conversations.called} {name}
        </Button>
      </Group>
      <Sources name={name} result={result} />
      <Collapse expanded={isOpen}>
        <Stack gap="xs" my={4}>
          <JsonView value={given} label={t.conversations.arguments(name)} />
          {result !== undefined && <JsonView value={result} label={t.conversations.result(name)} />}
        </Stack>
      </Collapse>
    </>
  );
}
