import type { Command } from 'commander';
import { addCommand, createReportAction } from '../option-values.js';
import type { Report } from '../output.js';

export function addTryModelCommand(models: Command): void {
  addCommand(models, 'try <name>', {
    does: 'play one turn with a tool against the endpoint of a model, and say what it supports; this costs tokens',
    examples: ['models try gpt-6-luna', 'models try qwen3-30b --endpoint local'],
  })
    .option('--endpoint <name>', 'one of LLM_ENDPOINTS, for a name that the catalogue does not have')
    .action(createReportAction(tryModel));
}

async function tryModel(name: string, { endpoint }: { endpoint?: string }): Promise<Report> {
  const [{ loadSettings }, { runAsOperator }, { playTestTurn }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/operator.js'),
    import('../operator/play-turn.js'),
  ]);
  const { model: settings } = loadSettings();
  if (settings === null) throw new Error('No language model is set. Set LLM_API_KEY.');
  if (endpoint !== undefined && !Object.hasOwn(settings.endpoints, endpoint))
    throw new Error(`LLM_ENDPOINTS has no ${endpoint}. Add it there, or correct --endpoint.`);
  const rows = await runAsOperator(({ catalogue }) => catalogue.listEntries('models'));
  const row = rows.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (row?.mode === 'multimodal') {
    throw new Error(
      `${name} is a realtime model: doctor opens a session with the first one of each endpoint.`,
    );
  }
  const turn = await playTestTurn(settings, {
    code: row?.code ?? row?.name ?? name,
    endpoint: endpoint ?? row?.endpoint ?? null,
    takesTemperature: row?.takesTemperature ?? true,
    outputLimitField: row?.outputLimitField ?? 'max_tokens',
    reasoningEffort: row?.reasoningEffort ?? null,
  });
  const at = turn.endpoint === null ? 'LLM_BASE_URL' : `LLM_ENDPOINTS ${turn.endpoint}`;
  const lines = turn.findings.map(({ what, found, detail }) =>
    `${found ? 'yes' : 'no '}  ${what}${detail === null ? '' : `: ${detail}`}`.trimEnd(),
  );
  const missing = turn.findings.filter(({ found }) => !found).map(({ what }) => what);
  const end = missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}.`;
  return {
    data: { model: name, code: turn.code, endpoint: turn.endpoint, findings: turn.findings, missing },
    text: [`${name} at ${at}`, ...lines, end].join('\n'),
    failed: missing.includes('answers') || missing.includes('tools'),
  };
}
