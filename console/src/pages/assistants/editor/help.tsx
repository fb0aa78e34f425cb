import { Code } from '@mantine/core';
import { Fragment } from 'react';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { settingOf } from '../settings';

const { limits } = t.assistants;

/** What a setting does in a call of this engine, and its limits. */
export function Help({ name, mode }: { name: keyof AssistantValues; mode: AssistantValues['mode'] }) {
  const { minimum, maximum, maxLength, values } = settingOf(name);
  const isLimited = minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1;
  const most = maxLength !== undefined && values === undefined && LONG.has(name);
  return (
    <>
      <Marked text={effectOf(name, mode)} />
      {isLimited && ` ${limits.range(formatCount(minimum), formatCount(maximum))}`}
      {most && ` ${limits.characters(formatCount(maxLength))}`}
    </>
  );
}

const SAME = 'The same';
const SAME_THEN = /^The same; (.)/;
const NONE = /^None on/;
const OTHER_DOCUMENT = /;? ?[Ss]ee docs\/[A-Z_]+\.md\.?/g;

/** Out of docs/use/assistant-settings.md; of a setting without an effect on calls, what the OpenAPI document says. */
function effectOf(name: keyof AssistantValues, mode: AssistantValues['mode']): string {
  const { pipeline, multimodal = pipeline, description = '' } = settingOf(name);
  if (NONE.test(pipeline)) return description;
  const effect =
    mode === 'multimodal' && multimodal.startsWith(SAME)
      ? `${pipeline} ${multimodal.replace(SAME_THEN, (_, first: string) => first.toUpperCase())}`
      : mode === 'multimodal'
        ? multimodal
        : pipeline;
  return effect.replace(OTHER_DOCUMENT, '');
}

/** Texts whose limit somebody meets. */
const LONG = new Set<keyof AssistantValues>([
  'name',
  'initial_message',
  'system_prompt',
  'reengagement_prompt',
  'voice_mail_message',
]);

/** `names` of the API stand in backticks. */
function Marked({ text }: { text: string }) {
  // Fields that are empty are null in requests.
  return text
    .replace(/\bnull\b/g, limits.empty)
    .split('`')
    .map((part, index) => (
      // The parts have no other identity than their place.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>{index % 2 === 1 ? <Code fz="inherit">{part}</Code> : part}</Fragment>
    ));
}
