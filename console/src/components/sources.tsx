import { Anchor, List, Text } from '@mantine/core';
import { t } from '#console/texts';

/** The function with which assistants search their knowledge base. */
const SEARCH_KNOWLEDGE = 'search_knowledge';

/** A quotation of a document and where it stands. */
interface Passage {
  document: string;
  /** Title and headings above it, between ` > `. */
  section: string;
  page: number | null;
  url: string | null;
  quotation: string;
}

interface SourcesProps {
  /** Of the function that was called. */
  name: string;
  /** What it answered: JSON, as text where the API has it so. */
  result: unknown;
}

/** Where an answer of the assistant comes from; nothing for other functions and failed searches. */
export function Sources({ name, result }: SourcesProps) {
  const passages = name === SEARCH_KNOWLEDGE ? passagesOf(result) : null;
  if (passages === null) return null;
  if (passages.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.sources.none}
      </Text>
    );
  }
  return (
    <List size="sm" aria-label={t.sources.title} listStyleType="none" spacing={4} my={4}>
      {passages.map((passage, index) => (
        // The passages have no other identity than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <List.Item key={index}>
          <Place {...passage} />
          <Text size="sm" c="dimmed" lineClamp={2}>
            {passage.quotation}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

function Place({ document, section, page, url }: Passage) {
  const words = [document, ...section.split(' > ').filter((part) => part !== '')].join(' › ');
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {words}
      {page !== null && `, ${t.sources.page(page)}`}
      {url !== null && (
        <>
          {', '}
          <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
            {url}
          </Anchor>
        </>
      )}
    </Text>
  );
}

/** Null: it is not what a search answers. */
function passagesOf(result: unknown): Passage[] | null {
  const found = typeof result === 'string' ? parsed(result) : result;
  if (typeof found !== 'object' || found === null || !('passages' in found)) return null;
  return Array.isArray(found.passages) ? (found.passages as Passage[]) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
