import { Code } from '@mantine/core';
import { Fragment } from 'react';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { settingOf } from '../settings';

const { limits } = t.assistants;

type Words = Record<string, string>;

/** What a setting does in a call of this engine, and its limits. */
export function Help({ name, mode }: { name: keyof AssistantValues; mode: AssistantValues['mode'] }) {
  const { minimum, maximum, maxLength, values } = settingOf(name);
  const isLimited = minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1;
  const most = maxLength !== undefined && values === undefined && LONG.has(name);
  return (
    <>
      <Marked text={effectOf(name, mode)} values={optionsOf(name)} />
      {isLimited && ` ${limits.range(formatCount(minimum), formatCount(maximum))}`}
      {most && ` ${limits.characters(formatCount(maxLength))}`}
    </>
  );
}

const SAME = 'The same';
const SAME_THEN = /^The same; (.)/;
const NONE = /^None on/;
/** Other documents and endpoints: whoever fills in a form has none. */
const ELSEWHERE =
  /;? ?[Ss]ee docs\/[\w/-]+\.md\.?| \(docs\/[\w/-]+\.md\)|;? ?[Ii]ts own endpoints set it too\.?/g;

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
  return effect.replace(ELSEWHERE, '');
}

/** Texts whose limit somebody meets. */
const LONG = new Set<keyof AssistantValues>([
  'name',
  'initial_message',
  'system_prompt',
  'reengagement_prompt',
  'voice_mail_message',
]);

/** `names` of the API stand in backticks; those of settings are what the form calls them. */
function Marked({ text, values }: { text: string; values: Words }) {
  // Fields that are empty are null in requests.
  return text
    .replace(/\bnull\b/g, limits.empty)
    .replace(/` is true\b/g, `\` ${limits.isOn}`)
    .split('`')
    .map((part, index) => (
      // The parts have no other identity than their place.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>{index % 2 === 1 ? <Name of={part} values={values} /> : part}</Fragment>
    ));
}

/** As high as the words beside it. */
const INLINE = { fontSize: 'inherit', lineHeight: 'inherit', paddingBlock: 0 };

function Name({ of: name, values }: { of: string; values: Words }) {
  const labels: Words = t.assistants.labels;
  const label = values[name] ?? labels[name] ?? limits.otherNames[name];
  return label === undefined ? <Code style={INLINE}>{name}</Code> : `“${label}”`;
}

/** What the form calls the values of a setting. */
const optionsOf = (name: keyof AssistantValues): Words =>
  (t.assistants.options as Record<string, Words>)[name] ?? {};
