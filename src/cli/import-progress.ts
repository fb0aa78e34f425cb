import type { ImportProgress, ImportReportResponse } from '#src/common/csv/import-report.js';
import { progressBar, canOverwriteLines, linesViewFor } from './live-lines.js';

/** Plain lines are written for every tenth of the file. */
const STEP = 0.1;

/** @param size of the file in bytes */
export function showImportProgress(
  stream: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  size: number,
): ImportProgress {
  const view = linesViewFor(stream, env);
  const step = canOverwriteLines(stream, env) ? 0 : STEP;
  let next = step;
  return (bytes, report) => {
    const share = size > 0 ? Math.min(1, bytes / size) : 1;
    if (share < next) return;
    next = step * (Math.floor(share / STEP) + 1);
    view.show([`${progressBar(share)} ${Math.floor(share * 100)} %  ${importCounts(report)}`]);
  };
}

export const importCounts = ({ imported, duplicates, invalid }: Readonly<ImportReportResponse>): string =>
  `${imported} imported, ${duplicates} known before, ${invalid} invalid`;
