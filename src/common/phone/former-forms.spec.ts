import { expect, it } from '@jest/globals';
import { withFormerForms } from './former-forms.js';

it.each([
  ['+5215512345678', []],
  ['+525512345678', ['+5215512345678', '+52015512345678', '+520445512345678', '+520455512345678']],
  ['+5511987654321', ['+551187654321']],
  ['+2290197123456', ['+22997123456']],
  ['+5491123456789', ['+54901123456789', '+549111523456789']],
  ['+14155550123', []],
])('knows the forms in which %s was stored', (number, former) => {
  expect(withFormerForms(number)).toEqual([number, ...former]);
});
