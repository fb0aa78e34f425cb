import type { DataSource } from 'typeorm';
import { EnergyVoiceDetector } from '#src/modules/speech/audio/energy-voice-detector.js';
import { FakeTurnModel } from '#src/modules/speech/end-of-turn/end-of-turn.fake.js';
import type { NewDeliveriesService } from '#src/modules/webhooks/delivery/new-deliveries.service.js';

export type NewDelivery = Parameters<NewDeliveriesService['createDelivery']>[0];

/** Transactions and locks of a store that one call uses. */
export const inMemory = {
  transaction: (work: (tx: unknown) => Promise<unknown>) => work({ query: async () => [] }),
} as unknown as DataSource;

/** Detector of voices and end-of-turn model, of lines that carry words instead of audio. */
export const listening = [new EnergyVoiceDetector(), new FakeTurnModel()] as const;
