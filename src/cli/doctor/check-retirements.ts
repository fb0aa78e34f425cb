import type { Settings } from '#src/config/settings.js';
import { isSandboxModel } from '#src/config/production-rules.js';
import { AssistantModelsService } from '#src/modules/assistants/assistant-models.service.js';
import { CatalogService } from '#src/modules/catalog/catalog.service.js';
import { describeWarning, findWatchedModels } from '#src/modules/model-watch/watched-models.js';
import { withDataSource } from '../operator/data-source.js';
import { ok, runCheck, warn, type Finding } from './finding.js';

/** Ids of assistants in one finding. */
const MOST_IDS = 20;

type Needed = Pick<Settings, 'model' | 'speech' | 'carrier' | 'databaseUrl' | 'dataDir'>;

/** Models and speech providers of assistants that end within 60 days, or that their endpoints do not offer. */
export async function checkRetirements(settings: Needed): Promise<Finding[]> {
  const findings: Finding[] = [];
  const all = await runCheck('models of assistants', async () => {
    findings.push(...(await retirementsOf(settings)));
    return ok('none retires within 60 days');
  });
  return findings.length === 0 ? [all] : findings;
}

function retirementsOf(settings: Needed): Promise<Finding[]> {
  const { model, speech, carrier } = settings;
  const endpoints = model === null || isSandboxModel(model, carrier) ? null : { model, speech };
  return withDataSource(settings, async (db) => {
    const catalog = await new CatalogService(db).readCatalog();
    const users = new AssistantModelsService(db);
    const findings: Finding[] = [];
    for (const watched of await findWatchedModels(catalog, endpoints)) {
      if (watched.warning === null) continue;
      const ids = (await users.findDependents(watched.kind, watched.id)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const rest = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : '';
      const what = `${describeWarning(watched)} (assistants ${ids.slice(0, MOST_IDS).join(', ')}${rest})`;
      const todo = 'give them another one, or name a successor: npm run cli -- ';
      const command = watched.kind === 'models' ? 'models' : 'providers';
      const state = warn(what, `${todo}${command} retire ${watched.id} --replaced-by NAME`);
      findings.push({ name: `model ${watched.name}`, ...state });
    }
    return findings;
  });
}
