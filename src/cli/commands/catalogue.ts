import { Option, type Command } from 'commander';
import type { CatalogueChanges, CatalogueKind } from '#src/modules/catalog/catalogue-admin.service.js';
import type {
  LanguageModelEntry,
  SpeechProvider,
  Voice,
} from '#src/modules/catalog/entities/catalog.entities.js';
import { parseDate, parseFlag, addCommand, createReportAction } from '../option-values.js';
import { formatTable, type Report } from '../output.js';
import { addTryModelCommand } from './try-model.js';

/** Options of `add` and `set`: how each is written, and the field that it sets. */
interface CatalogueOption {
  flags: string;
  about: string;
  field: string;
  choices?: readonly string[];
  parse?: (text: string) => unknown;
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'null'];
const ENDPOINT = { flags: '--endpoint <name>', about: 'null: the default one', field: 'endpoint' };

const OPTIONS: Record<CatalogueKind, CatalogueOption[]> = {
  models: [
    { flags: '--mode <mode>', about: 'new models', field: 'mode', choices: ['pipeline', 'multimodal'] },
    { flags: '--code <code>', about: 'the `model` of requests; null: the name', field: 'code' },
    { ...ENDPOINT, about: 'one of LLM_ENDPOINTS; null: the default one' },
    {
      flags: '--takes-temperature <bool>',
      about: 'whether a temperature is sent',
      field: 'takesTemperature',
      parse: parseFlag,
    },
    {
      flags: '--output-limit-field <field>',
      about: 'the parameter that limits an answer',
      field: 'outputLimitField',
      choices: ['max_tokens', 'max_completion_tokens'],
    },
    {
      flags: '--reasoning-effort <effort>',
      about: 'null: not sent',
      field: 'reasoningEffort',
      choices: EFFORTS,
    },
    {
      flags: '--transcription-model <model>',
      about: 'of realtime models; null: the default one',
      field: 'transcriptionModel',
    },
    { flags: '--fallback <name>', about: 'the model that is asked when this one fails', field: 'fallback' },
  ],
  voices: [
    { flags: '--mode <mode>', about: 'new voices', field: 'mode', choices: ['pipeline', 'multimodal'] },
    { flags: '--provider <name>', about: 'ElevenLabs, Amazon, Google, OpenAI …', field: 'provider' },
    { flags: '--provider-voice <voice>', about: 'its name at the provider', field: 'providerVoice' },
    { flags: '--language <name>', about: 'null: it speaks every language', field: 'language' },
    { flags: '--gender <gender>', about: 'as the list shows it', field: 'gender' },
    { flags: '--accent <accent>', about: 'as the list shows it', field: 'accent' },
    { flags: '--preview-url <url>', about: 'as the list shows it', field: 'previewUrl' },
  ],
  providers: [
    {
      flags: '--kind <kind>',
      about: 'new providers',
      field: 'kind',
      choices: ['synthesizer', 'transcriber'],
    },
    {
      flags: '--adapter <adapter>',
      about: 'the interface that it has',
      field: 'adapter',
      choices: ['openai', 'deepgram', 'deepgram-flux', 'elevenlabs', 'cartesia'],
    },
    { flags: '--code <code>', about: 'its model', field: 'code' },
    { ...ENDPOINT, about: 'one of SPEECH_ENDPOINTS; null: that of the language model' },
    { flags: '--default-voice <voice>', about: 'speaks for other voices', field: 'defaultVoice' },
    { flags: '--fallback <name-or-id>', about: 'takes its place in calls where it fails', field: 'fallback' },
  ],
};

/** Required options of a new row. */
const REQUIRED: Record<CatalogueKind, object> = {
  models: { mode: 'pipeline' },
  voices: { mode: 'pipeline', gender: 'neutral' },
  providers: { adapter: 'openai' },
};

export const addModelCommands = (program: Command): void => {
  const models = addKind(program, 'models', 'language models and realtime models of assistants', {
    add: 'models add our-model --endpoint local --code qwen3-30b',
    set: 'models set gpt-6-luna --reasoning-effort low',
    retire: 'models retire gpt-4.1 --on 2026-12-01 --replaced-by gpt-6-luna',
  });
  addTryModelCommand(models);
};

export const addVoiceCommands = (program: Command): void =>
  void addKind(program, 'voices', 'voices of assistants', {
    add: 'voices add Ada --provider ElevenLabs --provider-voice 21m00Tcm4TlvDq8ikWAM',
    set: 'voices set Rachel --accent British',
    retire: 'voices retire Antoni --replaced-by Adam',
  });

export const addProviderCommands = (program: Command): void =>
  void addKind(program, 'providers', 'speech providers on audio lines', {
    add: 'providers add Local --kind transcriber --code whisper-large-v3 --endpoint local',
    set: 'providers set 1 --code kokoro --endpoint local',
    retire: 'providers retire 1 --on 2027-01-06',
  });

function addKind(
  program: Command,
  kind: CatalogueKind,
  about: string,
  examples: { add: string; set: string; retire: string },
): Command {
  const commands = program.command(kind).description(about);
  addCommand(commands, 'list', { does: `list the ${kind}`, examples: [`${kind} list`] }).action(
    createReportAction(() => list(kind)),
  );
  const add = addCommand(commands, 'add <name>', { does: 'add one', examples: [examples.add] });
  const set = addCommand(commands, 'set <name-or-id>', {
    does: 'change one; no start of the service takes it back',
    examples: [examples.set],
  });
  for (const command of [add, set]) {
    for (const { flags, about: what, choices, parse } of OPTIONS[kind]) {
      const option = new Option(flags, what);
      if (choices) option.choices(choices);
      if (parse) option.argParser(parse);
      command.addOption(option);
    }
  }
  add.action(
    createReportAction((name: string, options: Record<string, unknown>) =>
      change(kind, (catalogue) =>
        catalogue.addEntry(kind, name, { ...REQUIRED[kind], ...changesOf(kind, options) }),
      ),
    ),
  );
  set.action(
    createReportAction((key: string, options: Record<string, unknown>) =>
      change(kind, (catalogue) => catalogue.setEntry(kind, key, changesOf(kind, options))),
    ),
  );
  addCommand(commands, 'retire <name-or-id>', {
    does: 'end one: what is stored stays valid, and its successor is used',
    examples: [examples.retire],
  })
    .option('--on <date>', 'the day; by default today', parseDate)
    .option('--replaced-by <name>', 'what is used from that day on')
    .action(
      createReportAction((key: string, { on = new Date(), replacedBy }: { on?: Date; replacedBy?: string }) =>
        change(kind, (catalogue) =>
          catalogue.setEntry(kind, key, {
            retiresOn: on.toISOString().slice(0, 10),
            ...(replacedBy !== undefined && { replacedBy }),
          } as CatalogueChanges<CatalogueKind>),
        ),
      ),
    );
  return commands;
}

type Admin = import('#src/modules/catalog/catalogue-admin.service.js').CatalogueAdminService;
type Row = LanguageModelEntry | Voice | SpeechProvider;

/** The fields that the options set; `null` in an option clears the field. */
function changesOf(kind: CatalogueKind, options: Record<string, unknown>): CatalogueChanges<CatalogueKind> {
  const changes: Record<string, unknown> = {};
  for (const { flags, field } of OPTIONS[kind]) {
    const name = flags
      .slice(2, flags.indexOf(' '))
      .replace(/-(\w)/g, (_, next: string) => next.toUpperCase());
    const value = options[name];
    if (value !== undefined) changes[field] = value === 'null' ? null : value;
  }
  return changes;
}

async function list(kind: CatalogueKind): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const rows = await runAsOperator(({ catalogue }) => catalogue.listEntries(kind));
  return reportOf(kind, rows, rows);
}

async function change(kind: CatalogueKind, work: (catalogue: Admin) => Promise<Row>): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ catalogue }) => {
    const row = await work(catalogue);
    return reportOf(kind, [row], await catalogue.listEntries(kind));
  });
}

function reportOf(kind: CatalogueKind, rows: readonly Row[], all: readonly Row[]): Report {
  const nameOf = (id: number | null | undefined): string | null =>
    all.find((row) => row.id === id)?.name ?? null;
  const data = rows.map(({ seeded, replacedById, retiresOn, id, name, ...row }) => {
    const { fallbackModelId, fallbackProviderId, ...columns } = row as Partial<
      LanguageModelEntry & SpeechProvider
    >;
    const fallbackId = fallbackModelId ?? fallbackProviderId;
    return {
      id,
      name,
      ...snakeCase(columns),
      ...(kind !== 'voices' && { fallback: nameOf(fallbackId) }),
      retires_on: retiresOn,
      replaced_by: nameOf(replacedById),
      own: seeded === null,
    };
  });
  const columns = COLUMNS[kind];
  const cells = data.map((row) =>
    ['id', 'name', ...columns, 'retires_on', 'replaced_by'].map((column) =>
      cellOf((row as Record<string, unknown>)[column]),
    ),
  );
  const headings = ['id', 'name', ...columns, 'retires on', 'replaced by'].map((one) =>
    one.replaceAll('_', ' '),
  );
  return { data, text: formatTable(headings, cells) };
}

const COLUMNS: Record<CatalogueKind, string[]> = {
  models: ['mode', 'endpoint', 'takes_temperature', 'reasoning_effort', 'fallback'],
  voices: ['mode', 'provider', 'provider_voice'],
  providers: ['kind', 'adapter', 'code', 'endpoint', 'fallback'],
};

const cellOf = (value: unknown): string | number =>
  typeof value === 'number' ? value : value === null || value === undefined ? '' : String(value);

const snakeCase = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
