import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas } from '#console/api/client';
import { messageOf } from '#console/api/api-error';
import { NeedsScope } from '#console/components/needs-scope';
import { formatLatency } from '#console/formats/duration';
import { t } from '#console/texts';
import type { Assistant } from '../assistant-values';
import { Conversation, Said, ToolUse } from './conversation';
import { MessageForm } from './message-form';

const texts = t.assistants.try;
const END_CALL = 'end_call';

interface Message {
  role: 'assistant' | 'customer';
  text: string;
  /** Of an answer. */
  calls: Schemas['FunctionCallResponse'][];
  latencyMs: number | null;
}

/** A text conversation that costs nothing. */
export function Write({
  assistant,
  variables,
}: {
  assistant: Assistant;
  variables: Record<string, unknown>;
}) {
  const [uuid, setUuid] = useState<string | null>(null);
  const [messages, setMessages] = useState<Message[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isEnded = messages.some(({ calls }) => calls.some(({ name }) => name === END_CALL));

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setBusy(false);
    }
  };
  const begin = () =>
    attempt(async () => {
      const body = { assistant_id: assistant.id, type: 'test' as const, variables };
      const { data } = await api.POST('/conversations', { body });
      setUuid(data?.conversation_id ?? null);
      setMessages(
        (data?.history ?? []).map(({ role, content, function_calls = [] }) => ({
          role: role === 'assistant' ? 'assistant' : 'customer',
          text: content,
          calls: function_calls,
          latencyMs: null,
        })),
      );
    });
  const send = (text: string) =>
    attempt(async () => {
      if (uuid === null) return;
      const add = (message: Message): void => setMessages((now) => [...now, message]);
      add({ role: 'customer', text, calls: [], latencyMs: null });
      const began = performance.now();
      const { data } = await api.POST('/conversations/{uuid}/messages', {
        params: { path: { uuid } },
        body: { message: text },
      });
      const latencyMs = performance.now() - began;
      if (data) add({ role: 'assistant', text: data.message, calls: data.function_calls, latencyMs });
    });

  return (
    <Stack gap="xs">
      <Group gap="xs" mih={34}>
        <NeedsScope scope="messages">
          {(refusal) => (
            <Button
              size="xs"
              variant={uuid === null ? 'filled' : 'default'}
              loading={isBusy && uuid === null}
              onClick={() => void begin()}
              {...refusal}
            >
              {uuid === null ? texts.write.start : texts.write.again}
            </Button>
          )}
        </NeedsScope>
        <Text size="sm" c="dimmed" role="status">
          {isEnded ? texts.write.ended : isBusy && uuid !== null ? texts.write.waiting : ''}
        </Text>
      </Group>
      <Conversation isEmpty={messages.length === 0}>
        {messages.map((message, index) => (
          // Messages are only added.
          // oxlint-disable-next-line react/no-array-index-key
          <OneMessage key={index} {...message} />
        ))}
      </Conversation>
      {error !== null && (
        <Alert color="red" role="alert" title={texts.write.failed}>
          {error}
        </Alert>
      )}
      {uuid !== null && !isEnded ? (
        <MessageForm onSend={(text) => void send(text)} isBusy={isBusy} />
      ) : (
        <Text size="sm" c="dimmed">
          {texts.write.text}
        </Text>
      )}
    </Stack>
  );
}

function OneMessage({ role, text, calls, latencyMs }: Message) {
  return (
    <>
      {calls.map(({ name, arguments: given, result }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <ToolUse key={index} name={name} note="" given={given} result={result} />
      ))}
      <Said
        role={role}
        text={text}
        note={latencyMs === null ? undefined : texts.write.answersIn(formatLatency(latencyMs))}
      />
    </>
  );
}
