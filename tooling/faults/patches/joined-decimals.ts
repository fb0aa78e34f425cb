/** Planted defect for `fuzz`: a decimal point in a cell is removed like a separator between groups of digits. */
import { CsvScanner } from '#src/common/csv/csv-scanner.js';

const { read } = CsvScanner.prototype;

CsvScanner.prototype.read = function* (text: string) {
  for (const row of read.call(this, text)) {
    if ('problem' in row) yield row;
    else yield { ...row, values: row.values.map((value) => value.replace(/^(\+?\d+)\.(0+)$/, '$1$2')) };
  }
};
