import { Badge, Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '#console/api/api-error';
import { $api, api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { LinkAnchor } from '#console/components/links';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyFailed } from '#console/components/notify';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { Assistant } from '../assistant-values';
import type { TrialLead } from '../use-lead';
import { CallTurns, Conversation } from './conversation';
import { useTurns } from './use-turns';

const texts = t.assistants.try;

/** Lets the assistant call a number, and shows the call. */
export function CallNumber({ assistant, lead }: { assistant: Assistant; lead: TrialLead }) {
  const { facts, money } = useSession();
  const { data: me } = $api.useQuery('get', '/user/me', {});
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [callId, setCallId] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { turns, status, isOver } = useTurns(callId);
  const number = typed ?? lead.phone;
  const isRunning = callId !== null && !isOver;
  const price = money(facts.plan.price_per_minute);

  const call = async (): Promise<void> => {
    const { title, text, sandbox, confirm: verb } = texts.call.question;
    const isSure = await confirm({
      title: title(formatPhone(number)),
      text: facts.carrier.sandbox ? sandbox(price) : text(price, money(me?.available_balance)),
      confirm: verb,
    });
    if (!isSure) return;
    setBusy(true);
    setError(null);
    try {
      const body = { assistant_id: assistant.id, phone_number: number, variables: lead.variables };
      const { data } = await api.POST('/user/make_call', { body });
      setCallId(data?.call_id ?? null);
    } catch (problem) {
      if (problem instanceof ApiError) setError(problem.errors['phone_number']?.join(' ') ?? problem.message);
      else notifyFailed(texts.call.failed, problem);
    } finally {
      setBusy(false);
    }
  };
  const end = async (): Promise<void> => {
    try {
      await api.POST('/user/calls/{id}/end', { params: { path: { id: callId ?? 0 } } });
    } catch (problem) {
      notifyFailed(texts.call.endFailed, problem);
    }
  };

  if (assistant.type === 'inbound')
    return (
      <Text size="sm" c="dimmed" py="md">
        {texts.call.inbound}
      </Text>
    );
  return (
    <Stack gap="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            size="xs"
            type="tel"
            aria-label={texts.call.number}
            placeholder={texts.call.numberExample}
            value={number}
            error={error}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {isRunning ? (
            <Button size="xs" color="red" onClick={() => void end()}>
              {texts.call.end}
            </Button>
          ) : (
            <NeedsScope scope="calls">
              {(refusal) => (
                <Button size="xs" type="submit" loading={isBusy} disabled={number === ''} {...refusal}>
                  {texts.call.submit}
                </Button>
              )}
            </NeedsScope>
          )}
        </Group>
      </form>
      {facts.carrier.sandbox && (
        <Group gap={6} aria-label={texts.call.sandbox} role="group">
          <Text size="xs" c="dimmed" aria-hidden>
            {texts.call.sandbox}:
          </Text>
          {Object.entries(texts.call.people).map(([phone, who]) => (
            <UnstyledButton
              key={phone}
              onClick={() => setTyped(phone)}
              aria-label={`${who}, ${formatPhone(phone)}`}
            >
              <Badge variant={phone === number ? 'filled' : 'default'} style={{ cursor: 'pointer' }}>
                {who}
              </Badge>
            </UnstyledButton>
          ))}
        </Group>
      )}
      <Group gap="xs" mih={20}>
        <Text size="sm" c="dimmed" role="status">
          {status === null ? '' : (texts.status[status] ?? status)}
        </Text>
        {callId !== null && (
          <LinkAnchor to="/calls/$id" params={{ id: String(callId) }} size="sm">
            {texts.talk.open}
          </LinkAnchor>
        )}
      </Group>
      <Conversation isEmpty={turns.length === 0}>
        <CallTurns turns={turns} lines={[]} interim="" />
      </Conversation>
    </Stack>
  );
}
