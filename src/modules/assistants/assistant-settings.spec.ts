import { describe, expect, it } from '@jest/globals';
import { declaredFields } from '#src/common/validation/declared-fields.js';
import { dtoFieldsOf } from '#src/common/validation/fields.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import {
  ASSISTANT_SETTINGS,
  RESPONSE_NAME_ENTRIES,
  RESPONSE_NAMES,
  SETTING_ENTRIES,
} from './assistant-settings.js';
import { UpdateAssistantDto, CreateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';
import type { ResponseNamesTable, SettingsTable } from './setting.types.js';

/** `npm run check:types` fails where one of these errors is none any more. */
describe('an incomplete table of settings does not compile', () => {
  const { record_call, ...withoutRecording } = ASSISTANT_SETTINGS;
  const { record, ...withoutName } = RESPONSE_NAMES;

  it.each([
    // @ts-expect-error A field of the request without an entry.
    withoutRecording satisfies SettingsTable,
    // @ts-expect-error An entry without a field of the request.
    { music: { property: 'recordCall' } } satisfies Partial<SettingsTable>,
    // @ts-expect-error A field that a creation does not require, in a column without a default.
    { reengagement_prompt: { property: 'systemPrompt' } } satisfies Partial<SettingsTable>,
    // @ts-expect-error A column that does not exist.
    { timezone: { property: 'music' } } satisfies Partial<SettingsTable>,
    // @ts-expect-error A value that the column does not hold, not converted.
    { language: { property: 'languageId', response: 'language_id' } } satisfies Partial<SettingsTable>,
    // @ts-expect-error No field of responses has this name, and none is said.
    { record_call: { property: 'recordCall' } } satisfies Partial<SettingsTable>,
    // @ts-expect-error Another name that requests may use, of no setting.
    withoutName satisfies ResponseNamesTable,
  ])('%#', (table) => {
    expect(table).toBeDefined();
  });

  it('has what the incomplete tables lack', () => {
    expect([record_call.property, record.of]).toEqual(['recordCall', 'record_call']);
  });
});

describe('the fields of requests', () => {
  it('are those of the table, their other names and the lists of ids', () => {
    const names = [
      ...Object.keys(RESPONSE_NAMES),
      ...SETTING_ENTRIES.map(([name]) => name),
      'tool_ids',
      'label_ids',
    ];
    expect(declaredFields(UpdateAssistantDto).toSorted()).toEqual(names.toSorted());
  });

  it.each(RESPONSE_NAME_ENTRIES)('document %s as another name of its field', (name, { of }) => {
    const { description } = dtoFieldsOf(CreateAssistantDto.prototype)[name]?.options ?? {};
    expect(description).toBe(`The same as \`${of}\`, as answers name and write it.`);
  });

  // The document shows what is stored, except where requests write the default in another way.
  it.each(SETTING_ENTRIES.filter(([name]) => !['ringing_time', 'who_speaks_first', 'status'].includes(name)))(
    'document the default of %s',
    (name, { property }) => {
      const documented: unknown = dtoFieldsOf(CreateAssistantDto.prototype)[name]?.options.default;
      const defaults: Partial<Assistant> = ASSISTANT_DEFAULTS;
      expect(documented ?? null).toEqual(defaults[property] ?? null);
    },
  );
});
