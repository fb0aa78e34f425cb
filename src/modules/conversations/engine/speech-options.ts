import type { SpeechOptions } from '#src/modules/telephony/call-session.js';
import type { ConversationSettings } from './conversation-settings.js';

/** For legal notices, which nothing interrupts. */
export const PROTECTED: SpeechOptions = { interruptible: false, preemptible: false };

/** Interruption of speech: by the carrier at a sound, by newer speech where the engine counts words, or not at all. */
export const speechOptions = (
  settings: Pick<ConversationSettings, 'allowInterruptions' | 'minInterruptWords'>,
): SpeechOptions => ({
  interruptible: settings.allowInterruptions && settings.minInterruptWords <= 1,
  preemptible: settings.allowInterruptions && settings.minInterruptWords > 1,
});
