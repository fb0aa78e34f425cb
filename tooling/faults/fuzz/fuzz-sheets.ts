import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aCampaign } from '../../../test/factories/campaign.js';
import { conclude } from '../support/conclude.js';
import { Installation } from '../support/installation.js';
import { seeded } from '../support/random.js';
import { numberOption, say } from '../support/run-options.js';
import { aSheetCell, COUNTRIES, type SheetCell } from './sheet-model.js';
import { sheetProblems, type SheetLine } from './verify-sheets.js';

const CELLS = 20_000;
const BROKEN_CELLS = 2_000;
/** Of one file. */
const LINES = 500;

interface ImportedLead {
  phone_number: string;
  variables: { line?: string };
}

/** Imports cells as spreadsheets write them: each is the intended number, or refused. */
export async function fuzzSheets(args: string[], seed: number, variant: string | null): Promise<void> {
  const broken = variant !== null;
  const cells = numberOption(args, '--cells', broken ? BROKEN_CELLS : CELLS);
  const installation = await Installation.start({ patches: broken ? ['joined-decimals'] : [] });
  const random = seeded(seed);
  const lines: SheetLine[] = [];
  try {
    const perCountry = Math.ceil(cells / COUNTRIES.length);
    for (const country of COUNTRIES) {
      const account = await anAccount({ plan: 'unlimited', country });
      const assistant_id = await anAssistant(account);
      for (let left = perCountry; left > 0; left -= LINES) {
        const sheet = Array.from({ length: Math.min(left, LINES) }, () => aSheetCell(country, random));
        lines.push(...(await imported(account, await aCampaign(account, { assistant_id }), sheet, country)));
      }
    }
    const read = lines.filter(({ imported: number }) => number !== null).length;
    say(`${lines.length} cells: ${read} imported, ${lines.length - read} refused`);
    conclude(sheetProblems(lines), { broken, planted: /decimals/ });
  } finally {
    await installation.stop();
  }
}

async function imported(
  account: TestAccount,
  campaignId: number,
  sheet: SheetCell[],
  country: string,
): Promise<SheetLine[]> {
  const form = new FormData();
  form.append('campaign_id', String(campaignId));
  form.append('allow_dupplicate', '1');
  const rows = sheet.map(({ cell }, index) => `${index},"${cell.replaceAll('"', '""')}"`);
  form.append('file', new Blob([`line,phone_number\n-1,+14155550100\n${rows.join('\n')}\n`]), 'sheet.csv');
  const { status, text } = await account.client.send('POST', '/user/leads/import', form);
  if (status !== 200) throw new Error(`the import was refused: ${status} ${text}`);
  const leads = (await account.client.get<ImportedLead[]>(`/user/leads?campaign_id=${campaignId}`)).body;
  const numbers = new Map(leads.map(({ phone_number, variables }) => [Number(variables.line), phone_number]));
  return sheet.map((cell, index) => ({ ...cell, country, imported: numbers.get(index) ?? null }));
}
