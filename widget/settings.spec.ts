import { expect, it } from '@jest/globals';
import { mergeSettings } from './settings.js';

it('attributes of the script win over stored settings; empty ones and others do not count', () => {
  const stored = { color: '#111111', header_title: 'Stored', position: 'top-left' };
  const attributes = { headerTitle: 'Given', position: '', assistantId: 'x', startButtonText: 'Go' };
  expect(mergeSettings(stored, attributes)).toEqual({
    color: '#111111',
    header_title: 'Given',
    position: 'top-left',
    start_button_text: 'Go',
  });
});
