import { Button, Collapse, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronRight, Play } from 'lucide-react';
import { memo } from 'react';
import { JsonView } from '#console/components/json-view';
import { Sources } from '#console/components/sources';
import { StatusBadge } from '#console/components/status-badge';
import { formatDuration, formatLatency } from '#console/formats/duration';
import { t } from '#console/texts';
import type { Turn } from './use-call';
import classes from './conversation.module.css';

interface ConversationProps {
  /** Undefined while they are read. */
  turns: Turn[] | undefined;
  /** Seconds from the call's begin for each turn. */
  offsets: (number | null)[];
  /** More words may come. */
  isLive: boolean;
  /** Index of the turn that the recording plays; -1: none. */
  current: number;
  /** Plays the recording from these seconds on; null: there is none. */
  hear: ((seconds: number) => void) | null;
}

export function Conversation({ turns, offsets, isLive, current, hear }: ConversationProps) {
  if (turns === undefined) {
    return (
      <Stack>
        {[70, 50, 80, 40].map((width) => (
          <Skeleton key={width} h={36} w={`${width}%`} />
        ))}
      </Stack>
    );
  }
  if (turns.length === 0) return <Text c="dimmed">{isLive ? t.call.noWords : t.call.nothingSaid}</Text>;
  return (
    <ol className={classes.turns} aria-live={isLive ? 'polite' : undefined} aria-label={t.call.conversation}>
      {turns.map((turn, n) => (
        <TurnRow
          key={turn.seq}
          turn={turn}
          offset={offsets[n] ?? null}
          isCurrent={n === current}
          hear={hear}
        />
      ))}
    </ol>
  );
}

interface TurnRowProps {
  turn: Turn;
  offset: number | null;
  isCurrent: boolean;
  hear: ConversationProps['hear'];
}

const TurnRow = memo(function TurnRow({ turn, offset, isCurrent, hear }: TurnRowProps) {
  const at = offset === null ? '' : formatDuration(Math.floor(offset));
  return (
    <li
      className={classes.turn}
      data-role={turn.role}
      data-kind={turn.kind}
      aria-current={isCurrent || undefined}
    >
      <Text className={classes.time} size="sm" c="dimmed">
        {hear && offset !== null ? (
          <UnstyledButton
            className={classes.hear}
            onClick={() => hear(offset)}
            aria-label={t.call.hear(at)}
            fz="sm"
          >
            <Play size={10} aria-hidden /> {at}
          </UnstyledButton>
        ) : (
          at
        )}
      </Text>
      <Text
        size="sm"
        fw={600}
        c={turn.role === 'assistant' ? 'var(--mantine-primary-color-light-color)' : undefined}
      >
        {t.call.roles[turn.role]}
      </Text>
      <div>{turn.tool ? <ToolUse tool={turn.tool} /> : <Words turn={turn} />}</div>
    </li>
  );
});

function Words({ turn }: { turn: Turn }) {
  const { timings, latencies, model_answers: answers } = turn;
  const tokens = answers.map((answer) => {
    const { model, prompt_tokens: prompt, cached_tokens: cached, completion_tokens: completion } = answer;
    return `${model}: ${t.call.tokens(prompt, cached, completion)}`;
  });
  return (
    <>
      <Text
        c={turn.kind === 'filler' ? 'dimmed' : undefined}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {turn.text}
        {turn.kind === 'filler' && (
          <Text span size="xs" c="dimmed" ml="xs">
            {' '}
            {t.call.filler}
          </Text>
        )}
        {turn.interrupted && (
          <Text span c="dimmed" fs="italic">
            {' '}
            – {t.call.interrupted}
          </Text>
        )}
      </Text>
      {timings?.silent != null && timings.prompt !== null && (
        <Text size="xs" c="dimmed">
          {t.call.recognised(formatLatency(Math.max(0, timings.prompt - timings.silent)))}
        </Text>
      )}
      {latencies?.playing != null && (
        <Text size="xs" c="dimmed" title={tokens.join('\n')}>
          {t.call.times(
            formatLatency(latencies.playing),
            formatLatency(latencies.model_first ?? 0),
            formatLatency(Math.max(0, latencies.playing - (latencies.text_first ?? latencies.playing))),
          )}
        </Text>
      )}
    </>
  );
}

function ToolUse({ tool }: { tool: NonNullable<Turn['tool']> }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { name, arguments: given, status, status_code: code, duration_ms: ms, error, result } = tool;
  const said = Object.entries(given)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const purpose = t.call.tool.names[name];
  return (
    <>
      <Group gap="xs" wrap="wrap">
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {name}({said.length > 120 ? `${said.slice(0, 120)}…` : said})
        </Text>
        {purpose !== undefined && (
          <Text size="sm" c="dimmed">
            {purpose}
          </Text>
        )}
        <StatusBadge tone={status === 'ok' ? 'good' : 'bad'}>
          {`${status === 'ok' ? t.call.tool.ok : t.call.tool.failed}${code === null ? '' : ` ${code}`}, ${formatLatency(ms)}`}
        </StatusBadge>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          c="dimmed"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={isOpen ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
        >
          {t.call.tool.details}
        </Button>
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <Sources name={name} result={result} />
      <Collapse expanded={isOpen}>
        <Stack gap="xs" my={4}>
          <Part name={t.call.tool.arguments} value={given} />
          {result !== '' && <Part name={t.call.tool.result} value={result} />}
        </Stack>
      </Collapse>
    </>
  );
}

const Part = ({ name, value }: { name: string; value: unknown }) => (
  <div>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <JsonView value={value} label={name} />
  </div>
);
