/** Root mean square of a quiet line's noise, of 32,768: the lowest estimate. */
const LOWEST = 67;
/** Louder sound is no background. */
const LOUDEST = 2_000;
/** The background is measured in blocks: single frames of low-pitched noise differ as much as syllables do. */
const BLOCK_MS = 100;
/** The estimate falls at once to a quieter block, and rises by a seventh in a second. */
const RISE = 1.15 ** (BLOCK_MS / 1000);
/** Blocks that are steady are the background: the first three, later those of a second, in which a voice has dips. */
const FIRST_BLOCKS = 3;
const STEADY_BLOCKS = 10;
/** Ratio of the loudest to the quietest block of steady sound. */
const STEADY = 2;

/** Estimates how loud the sound behind the voice is. */
export class BackgroundLevel {
  /** Root mean square. */
  level = LOWEST;
  private sum = 0;
  private ms = 0;
  private blocks: number[] = [];
  private blocksHeard = 0;

  /** @param loudness root mean square of the frame */
  addFrame(loudness: number, ms: number): void {
    this.sum += loudness * loudness * ms;
    this.ms += ms;
    if (this.ms < BLOCK_MS) return;
    this.addBlock(Math.sqrt(this.sum / this.ms));
    this.sum = this.ms = 0;
  }

  private addBlock(block: number): void {
    this.blocksHeard += 1;
    this.blocks = [...this.blocks, block].slice(-STEADY_BLOCKS);
    const estimate = this.isSteady() ? mean(this.blocks) : Math.min(block, this.level * RISE);
    this.level = Math.min(LOUDEST, Math.max(LOWEST, estimate));
  }

  private isSteady(): boolean {
    if (this.blocksHeard !== FIRST_BLOCKS && this.blocks.length < STEADY_BLOCKS) return false;
    const loudest = Math.max(...this.blocks);
    return loudest <= LOUDEST && loudest <= STEADY * Math.min(...this.blocks);
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
