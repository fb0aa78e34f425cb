import { expect, it } from '@jest/globals';
import { Catalog } from '../catalog/catalog.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import { Assistant } from './entities/assistant.entity.js';
import { toAssistantResponse } from './show-assistant.js';

it('shows how long a call rings, by the assistant or else by the installation', () => {
  const ringing = (ringingTime: number | null): unknown => {
    const dates = { createdAt: new Date(0), updatedAt: new Date(0), deletedAt: null };
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, dates, { ringingTime });
    const answer = toAssistantResponse(
      { assistant, catalog: new Catalog([], [], []), ringTimeoutSeconds: 25 },
      [],
    );
    return Object.entries(answer).find(([name]) => name === 'ringing_time')?.[1];
  };
  expect([ringing(7), ringing(null)]).toEqual([7, 25]);
});
