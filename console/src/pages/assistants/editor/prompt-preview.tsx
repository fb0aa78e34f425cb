import { Badge, Group, Mark, Text, Tooltip } from '@mantine/core';
import { Fragment } from 'react';
import {
  renderTemplate,
  localNow,
  placeholdersOf,
  type SystemVariables,
} from '../../../../../src/modules/assistants/render-template.js';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import type { TrialLead } from '../use-lead';
import { partsOf } from './template-parts';

const texts = t.assistants.prompt;

/** What the texts of an assistant are filled with, for one lead. */
export function fillingFor(
  { name, timezone, variables }: Pick<AssistantValues, 'name' | 'timezone' | 'variables'>,
  lead: TrialLead,
) {
  const system: SystemVariables = {
    customer_phone: lead.phone,
    assistant_phone: '',
    assistant_name: name,
    ...nowIn(timezone),
  };
  return { variables: { ...variables, ...lead.variables }, system };
}

export type Filling = ReturnType<typeof fillingFor>;

/** A zone that is being typed is none yet. */
function nowIn(timezone: string): ReturnType<typeof localNow> {
  try {
    return localNow(timezone, new Date());
  } catch {
    return localNow('UTC', new Date());
  }
}

/** A text as the model gets it, or as it is spoken: what was filled in is marked. */
export function FilledText({
  text,
  filling,
  use,
}: {
  text: string;
  filling: Filling;
  use: 'speech' | 'prompt';
}) {
  const { parts, rest } = partsOf(text, filling.variables);
  return (
    <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parts.map(({ before, text: placeholder, name, index }) => {
        const filled = renderTemplate(placeholder, filling.variables, filling.system, use);
        return (
          <Fragment key={index}>
            {before}
            <Mark color={filled === '' ? 'red' : 'indigo'} title={name}>
              {filled || placeholder}
            </Mark>
          </Fragment>
        );
      })}
      {rest}
    </Text>
  );
}

/** The variables of the texts, and what becomes of each. */
export function VariableList({ texts: of, filling }: { texts: string[]; filling: Filling }) {
  const found = new Map(
    of.flatMap((text) => placeholdersOf(text, filling.variables)).map((one) => [one.text, one] as const),
  );
  if (found.size === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noVariables}
      </Text>
    );
  return (
    <Group gap={6} aria-label={texts.variables} role="list">
      {[...found.values()].map(({ text, name }) => {
        const filled = renderTemplate(text, filling.variables, filling.system);
        const isOfSystem = Object.hasOwn(filling.system, name) && !Object.hasOwn(filling.variables, name);
        const help = isOfSystem ? texts.ofSystem : filled === '' ? texts.missing : texts.value(filled);
        return (
          <Tooltip key={text} label={help} multiline maw={320}>
            <Badge
              role="listitem"
              tabIndex={0}
              variant="light"
              color={filled === '' && !isOfSystem ? 'red' : isOfSystem ? 'gray' : 'indigo'}
              c="var(--mantine-color-text)"
            >
              {text}
            </Badge>
          </Tooltip>
        );
      })}
    </Group>
  );
}
