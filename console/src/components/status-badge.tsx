import { Badge } from '@mantine/core';

export type Tone = 'good' | 'bad' | 'waiting' | 'running' | 'neutral';

const COLORS: Record<Tone, string> = {
  good: 'teal',
  bad: 'red',
  waiting: 'yellow',
  running: 'indigo',
  neutral: 'gray',
};

/** A status by its word and its colour. In tables its column is wide enough for the word. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="dot" color={COLORS[tone]} size="md" style={{ flexShrink: 0, minWidth: 'max-content' }}>
      {children}
    </Badge>
  );
}
