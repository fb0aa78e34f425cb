import {
  Anchor,
  Badge,
  Box,
  Button,
  Group,
  Highlight,
  Skeleton,
  Spoiler,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { formatShare } from '#console/formats/numbers';
import { t } from '#console/texts';
import { CHUNKS_PER_PAGE, placeOf } from './knowledge-words';
import { wordsWith } from './matched-words';

type Found = Schemas['FoundChunkResponse'];

const texts = t.knowledge.search;
/** About five lines. */
const SHORT_PX = 108;
const LONGEST_QUERY = 1000;

/** Finds what an assistant would find, and why. The question is in the address. */
export function SearchPanel({ baseId }: { baseId: number }) {
  const { q = '' } = useSearch({ from: '/shell/knowledge/$id' });
  const change = useSearchChange();
  const { data, error, refetch, isFetching } = $api.useQuery(
    'post',
    '/user/knowledgebases/{id}/search',
    { params: { path: { id: baseId } }, body: { query: q } },
    { enabled: q !== '' },
  );
  return (
    <Box component="section" aria-label={texts.title}>
      <Title order={2} mb={4}>
        {texts.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.text}
      </Text>
      <Question
        asked={q}
        isBusy={isFetching}
        ask={(next) => (next === q ? void refetch() : change({ q: next || undefined }))}
      />
      <Stack gap="md" mt="md" aria-live="polite" aria-busy={q !== '' && !data && !error}>
        {q === '' ? (
          <Hint>{texts.before}</Hint>
        ) : error ? (
          <ErrorNote error={error} retry={refetch} />
        ) : !data ? (
          <Skeleton h={140} />
        ) : data.data.length === 0 ? (
          <Hint>{texts.none}</Hint>
        ) : (
          data.data.map((found) => (
            <Result key={`${found.document_id} ${found.seq}`} found={found} baseId={baseId} />
          ))
        )}
      </Stack>
    </Box>
  );
}

const Hint = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

interface QuestionProps {
  asked: string;
  isBusy: boolean;
  ask: (question: string) => void;
}

function Question({ asked, isBusy, ask }: QuestionProps) {
  const [typed, setTyped] = useState(asked);
  const [former, setFormer] = useState(asked);
  if (former !== asked) {
    // Chosen elsewhere: it replaces what is typed.
    setFormer(asked);
    setTyped(asked);
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask(typed.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={texts.label}
          placeholder={texts.placeholder}
          value={typed}
          maxLength={LONGEST_QUERY}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {texts.submit}
        </Button>
      </Group>
    </form>
  );
}

function Result({ found, baseId }: { found: Found; baseId: number }) {
  const {
    document_id: id,
    document_name: name,
    seq,
    url,
    text,
    score,
    coverage,
    matched_words: words,
  } = found;
  const page = Math.ceil(seq / CHUNKS_PER_PAGE);
  const place = placeOf(found, name);
  return (
    <Box
      component="article"
      aria-label={name}
      pl="sm"
      style={{ borderInlineStart: '2px solid var(--console-line)' }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <LinkAnchor
          to="/knowledge/$id/documents/$document"
          params={{ id: String(baseId), document: String(id) }}
          search={page === 1 ? {} : { page }}
          size="sm"
          fw={500}
        >
          {name}
        </LinkAnchor>
        {place !== '' && ` › ${place}`}
      </Text>
      {url !== null && (
        <Anchor href={url} target="_blank" rel="noreferrer" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Anchor>
      )}
      <Spoiler
        maxHeight={SHORT_PX}
        showLabel={texts.more}
        hideLabel={texts.less}
        my={4}
        // Landmarks have different names.
        attributes={{ content: { 'aria-label': texts.passage(name, seq) } }}
      >
        <Highlight
          size="sm"
          highlight={wordsWith(words, text)}
          wholeWord
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {text}
        </Highlight>
      </Spoiler>
      <Group gap={6}>
        <Tooltip label={texts.scoreHelp} multiline maw={280}>
          <Badge variant="default" tabIndex={0}>
            {texts.score(score.toFixed(2))}
          </Badge>
        </Tooltip>
        <Badge variant="default">{texts.coverage(formatShare(coverage))}</Badge>
        {words.length > 0 && (
          <Text size="xs" c="dimmed">
            {texts.words(words.join(', '))}
          </Text>
        )}
      </Group>
    </Box>
  );
}
