import { Box, Code, Collapse, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronRight, Wrench } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { JsonView } from '#console/components/json-view';
import { Sources } from '#console/components/sources';
import { formatLatency } from '#console/formats/duration';
import { t } from '#console/texts';
import type { Line } from './use-talk';
import type { Turn } from './use-turns';

const texts = t.assistants.try;

/** Scrolls with what is said, unless somebody reads above. */
export function Conversation({ children, isEmpty }: { children: ReactNode; isEmpty: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <Box
      ref={box}
      role="log"
      aria-label={texts.title}
      tabIndex={0}
      h={360}
      py="xs"
      style={{ overflowY: 'auto', borderBlock: '1px solid var(--console-line)' }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <Stack gap="xs">{children}</Stack>
      )}
    </Box>
  );
}

/** @param note under it, e.g. how long the answer took */
export function Said({ role, text, note }: { role: Line['role']; text: string; note?: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {role === 'assistant' ? texts.talk.assistant : texts.talk.you}
      </Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
      {note !== undefined && note !== '' && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  );
}

/** A tool, with what it was called with; what it answered, where that is known. */
export function ToolUse({
  name,
  note,
  isFailed = false,
  given,
  result,
}: {
  name: string;
  note: string;
  isFailed?: boolean;
  given: unknown;
  result?: unknown;
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Box pl="sm" style={{ borderInlineStart: '2px solid var(--console-line)' }}>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} w="100%">
        <Group gap={6} wrap="nowrap">
          <Wrench size={13} aria-hidden />
          <Text size="sm" truncate>
            {texts.tool(name)} <Code>{JSON.stringify(given)}</Code>
          </Text>
          <Text
            size="xs"
            c={isFailed ? 'var(--mantine-color-error)' : 'dimmed'}
            style={{ whiteSpace: 'nowrap' }}
          >
            {note}
          </Text>
          <ChevronRight size={13} aria-hidden style={{ rotate: isOpen ? '90deg' : '0deg' }} />
        </Group>
      </UnstyledButton>
      <Sources name={name} result={result} />
      <Collapse expanded={isOpen}>
        <Stack gap={4} py={4}>
          <JsonView value={given} label={texts.arguments} />
          {result !== undefined && <JsonView value={result} label={texts.result} />}
        </Stack>
      </Collapse>
    </Box>
  );
}

/** The turns that the service has, then the words that it will soon have. */
export function CallTurns({ turns, lines, interim }: { turns: Turn[]; lines: Line[]; interim: string }) {
  return (
    <>
      {turns.map((turn) => (
        <OneTurn key={turn.seq} turn={turn} />
      ))}
      {linesAfter(turns, lines).map(({ role, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Said key={index} role={role} text={text} />
      ))}
      {interim !== '' && (
        <Text c="dimmed" fs="italic">
          {interim}
        </Text>
      )}
    </>
  );
}

function OneTurn({ turn: { role, kind, text, tool, latencies, interrupted } }: { turn: Turn }) {
  if (role === 'tool') {
    const {
      name = '',
      status = 'ok',
      status_code,
      duration_ms = 0,
      error,
      result,
      arguments: given = {},
    } = tool ?? {};
    const note = [status_code, formatLatency(duration_ms), error].filter((part) => part != null).join(', ');
    const isFailed = status === 'failed';
    return <ToolUse name={name} note={note} isFailed={isFailed} given={given} result={result || undefined} />;
  }
  const times = [
    latencies?.model_first == null ? null : texts.latency.model(formatLatency(latencies.model_first)),
    latencies?.playing == null ? null : texts.latency.heard(formatLatency(latencies.playing)),
    kind === 'filler' ? t.call.filler : null,
    interrupted ? texts.interrupted : null,
  ];
  return <Said role={role} text={text ?? ''} note={times.filter((part) => part !== null).join(' · ')} />;
}

/** Each turn of the service stands for the first line of its speaker. */
function linesAfter(turns: Turn[], lines: Line[]): Line[] {
  const known = { assistant: 0, customer: 0, tool: 0 };
  for (const { role } of turns) known[role] += 1;
  return lines.filter(({ role }) => {
    known[role] -= 1;
    return known[role] < 0;
  });
}
