import { expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import type { CallsRepository } from '../calls/calls.repository.js';
import type { CallTurnView, CallView } from '../calls/call.view.js';
import type { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import type { CarrierCalls } from '../telephony/carrier-calls.js';
import type { CallInstructionsService } from './call-instructions.service.js';
import type { CarrierAnnouncementsService } from './carrier-announcements.service.js';
import type { Clock } from './engine/clock.js';
import { VoicemailService } from './voicemail.service.js';

const GREETING = partialFake<CallTurnView>({ role: 'assistant', kind: 'speech', text: 'Hello.' });
const ANSWER = partialFake<CallTurnView>({ role: 'customer', kind: 'speech', text: 'Who is this?' });

it.each<[string, CallView['answeredBy'], CallTurnView[], boolean]>([
  ['a machine', 'machine', [GREETING], true],
  ['a person, after a machine', 'human', [GREETING], false],
  ['a machine, and both sides have spoken', 'machine', [GREETING, ANSWER], false],
])('decides after the timeout of a machine by the last report: %s', async (_, answeredBy, turns, hangsUp) => {
  const persons: number[] = [];
  const service = new VoicemailService(
    partialFake<CallInstructionsService>({}),
    partialFake<CallStateService>({ markAnsweredByPerson: async (id) => void persons.push(id) }),
    partialFake<CarrierAnnouncementsService>({}),
    partialFake<CarrierCalls>({}),
    partialFake<CallsRepository>({}),
    partialFake<TranscriptRepository>({ findToolRuns: async () => [], findTurns: async () => turns }),
    partialFake<Clock>({}),
  );
  expect(await service.shouldHangUp(partialFake<CallView>({ id: 7, answeredBy }))).toBe(hangsUp);
  expect(persons).toEqual(hangsUp ? [] : [7]);
});
