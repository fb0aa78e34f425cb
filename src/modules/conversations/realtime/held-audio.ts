import type { SpokenAudio } from './spoken-audio.js';

/** Speech stopped by a sound, which may continue. */
export class HeldAudio {
  private speeches: readonly SpokenAudio[] = [];

  get isEmpty(): boolean {
    return this.speeches.length === 0;
  }

  hold(speeches: readonly SpokenAudio[]): void {
    this.speeches = speeches;
    for (const speech of speeches) speech.isHeld = true;
  }

  /** Nothing is held any more. @returns the speeches whose rest is in the text that is spoken now */
  take(text: string): readonly SpokenAudio[] {
    const again = this.speeches.filter(
      ({ unreportedText: rest }) => rest !== '' && (text.includes(rest.trim()) || rest.includes(text)),
    );
    this.speeches = [];
    for (const speech of again) speech.isHeld = false;
    return again;
  }

  discard(): void {
    for (const speech of this.speeches) {
      speech.isHeld = false;
      speech.releaseAudio();
    }
    this.speeches = [];
  }
}
