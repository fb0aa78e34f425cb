import type { DataSource } from 'typeorm';
import { EnergyVoiceDetector } from '#src/modules/speech/audio/energy-voice-detector.js';
import type { NewDeliveriesService } from '#src/modules/webhooks/delivery/new-deliveries.service.js';

export type NewDelivery = Parameters<NewDeliveriesService['createDelivery']>[0];

/** Transactions and locks of a store that one call uses. */
export const inMemory = {
  transaction: (work: (tx: unknown) => Promise<unknown>) => work({ query: async () => [] }),
} as unknown as DataSource;

/** Of lines that carry words instead of audio. */
export const voiceDetector = new EnergyVoiceDetector();
