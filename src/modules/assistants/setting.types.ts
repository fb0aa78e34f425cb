import type { Catalog } from '../catalog/catalog.js';
import type { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import type { CreateAssistantDto, UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { AssistantResponse } from './dto/assistant.response.js';
import type { AssistantResponseNames } from './dto/response-names.dto.js';
import type { Assistant } from './entities/assistant.entity.js';

type Property = keyof Assistant;

/** Names of settings in requests: the fields of `UpdateAssistantDto`, without other names and lists of ids. */
export type SettingName = Exclude<
  keyof UpdateAssistantDto,
  keyof AssistantResponseNames | 'tool_ids' | 'label_ids'
>;

type InputOf<Name extends keyof UpdateAssistantDto> = Exclude<UpdateAssistantDto[Name], undefined>;

/** Inputs of a rendered value besides the stored one. */
export interface SettingRenderContext {
  assistant: Assistant;
  catalog: Catalog;
  /** Of the installation. */
  ringTimeoutSeconds: number;
}

/** Converts the value of a request to the stored one. Without a conversion the value is stored unchanged. */
interface Reading<Input, Stored> {
  /** The value to store; undefined: the request does not set it. */
  read?: (value: Input) => Stored | undefined;
  /** Instead of `read`, for what names a part of the catalogue; undefined: it has no such part. */
  find?: (value: Input, catalog: Catalog) => Stored | undefined;
}

type Read<Input, Stored> = Required<Pick<Reading<Input, Stored>, 'read'>>;
type Found<Input, Stored> = Required<Pick<Reading<Input, Stored>, 'find'>>;

/** Columns of fields that a creation does not require have a default. */
type ColumnOf<Name> = Name extends keyof CreateAssistantDto
  ? undefined extends CreateAssistantDto[Name]
    ? keyof typeof ASSISTANT_DEFAULTS
    : Property
  : keyof typeof ASSISTANT_DEFAULTS;

/** Name in responses: a field of `AssistantResponse`; undefined: as in requests, null: not shown. */
type ShownAs<Name> = Name extends keyof AssistantResponse
  ? { response?: keyof AssistantResponse | null }
  : { response: keyof AssistantResponse | null };

interface Column<P extends Property> {
  /** The column. */
  property: P;
  /** The shown value. Without it the value is shown as it is stored. */
  render?: (value: Assistant[P], context: SettingRenderContext) => unknown;
}

type SettingIn<P extends Property, Name extends SettingName> = Column<P> &
  ShownAs<Name> &
  (InputOf<Name> extends Assistant[P]
    ? Reading<InputOf<Name>, Assistant[P]>
    : Read<InputOf<Name>, Assistant[P]> | Found<InputOf<Name>, Assistant[P]>);

/** An entry for each setting, and no other: what the field of the request leaves open. */
export type SettingsTable = {
  [Name in SettingName]: { [P in ColumnOf<Name>]: SettingIn<P, Name> }[ColumnOf<Name>];
};

/** Another name of a setting in requests; without `read` and `find` the value is written as under its own name. */
export interface SettingAlias<Input = unknown> extends Reading<Input, unknown> {
  of: SettingName;
}

export type ResponseNamesTable = {
  [Name in keyof AssistantResponseNames]-?: SettingAlias<InputOf<Name>>;
};

/** An entry of the table, for code that iterates over all entries. */
export interface Setting extends Reading<unknown, unknown> {
  property: Property;
  response?: keyof AssistantResponse | null;
  render?: (value: unknown, context: SettingRenderContext) => unknown;
}
