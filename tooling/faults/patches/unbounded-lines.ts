/** Planted defect for `neighbour`: the lines of a CSV file have no limits. */
import { CsvScanner } from '#src/common/csv/csv-scanner.js';

interface Limits {
  place: string;
  value: string;
  values: string[];
  count(characters: number, next: number): number;
  pushValue(): void;
}

const limits = CsvScanner.prototype as unknown as Limits;

limits.count = (_, next) => next;
limits.pushValue = function () {
  this.place = 'start';
  this.values.push(this.value);
  this.value = '';
};
