import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { LinkAnchor } from '#console/components/links';
import { NeedsScope } from '#console/components/needs-scope';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { Assistant } from '../assistant-values';
import { Conversation, CallTurns } from './conversation';
import { MessageForm } from './message-form';
import { useTalk } from './use-talk';
import { useTurns } from './use-turns';

const texts = t.assistants.try;

interface TalkProps {
  assistant: Assistant;
  /** Laid over those of the assistant. */
  variables: Record<string, unknown>;
}

/** A call in the browser, with its turns, tools and times as they happen. */
export function Talk({ assistant, variables }: TalkProps) {
  const { facts, money } = useSession();
  const { state, start, say, mute, interrupt, end } = useTalk(assistant.id, variables);
  const { turns } = useTurns(state.callId);
  const { phase, mode, isMuted, status, error, lines, interim, callId } = state;
  const isInCall = phase === 'call';
  return (
    <Stack gap="xs">
      <Group gap="xs" mih={34}>
        {isInCall ? (
          <>
            <Button color="red" size="xs" onClick={end}>
              {texts.talk.end}
            </Button>
            {mode === 'voice' && (
              <>
                <Button variant="default" size="xs" onClick={mute} aria-pressed={isMuted}>
                  {isMuted ? texts.talk.unmute : texts.talk.mute}
                </Button>
                <Button variant="default" size="xs" onClick={interrupt}>
                  {texts.talk.interrupt}
                </Button>
              </>
            )}
          </>
        ) : (
          <>
            <NeedsScope scope="calls">
              {(refusal) => (
                <Button size="xs" onClick={() => start('voice')} {...refusal}>
                  {phase === 'over' ? texts.talk.again : texts.talk.start}
                </Button>
              )}
            </NeedsScope>
            {error !== '' && (
              <Button variant="default" size="xs" onClick={() => start('text')}>
                {texts.talk.write}
              </Button>
            )}
          </>
        )}
      </Group>
      <Text size="sm" c="dimmed" mih={20} role="status">
        {status}
      </Text>
      <Conversation isEmpty={turns.length === 0 && lines.length === 0 && interim === ''}>
        <CallTurns turns={turns} lines={lines} interim={interim} />
      </Conversation>
      {error !== '' && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      {isInCall && <MessageForm onSend={say} />}
      {phase === 'ready' && (
        <Text size="sm" c="dimmed">
          {texts.talk.text(money(facts.plan.price_per_minute))}
        </Text>
      )}
      {phase === 'over' && callId !== null && (
        <LinkAnchor to="/calls/$id" params={{ id: String(callId) }} size="sm">
          {texts.talk.open}
        </LinkAnchor>
      )}
    </Stack>
  );
}
