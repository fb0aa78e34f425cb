import { Alert, List } from '@mantine/core';
import { confirm } from '#console/components/confirm';
import { t } from '#console/texts';
import type { Removal } from './retention-rules';

const { removals: texts, question } = t.retention;

const wordsOf = ({ kind, days }: Removal): string => texts.kinds[kind](days);

/** @returns false: it is not to be saved */
export const confirmRemovals = async (removals: Removal[]): Promise<boolean> => {
  if (removals.length === 0) return true;
  const text = question.text(removals.map(wordsOf));
  return confirm({ title: question.title, text, confirm: question.confirm, isDangerous: true });
};

/** What saving removes, before it is saved. */
export function Removals({ removals }: { removals: Removal[] }) {
  if (removals.length === 0) return null;
  return (
    <Alert color="yellow" role="status" title={texts.title} mt="md">
      <List size="sm">
        {removals.map((removal) => (
          <List.Item key={removal.kind}>{wordsOf(removal)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
