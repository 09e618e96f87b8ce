/** Readings of the first pause. A pause that follows soon lasts twice as long as the one before, up to the maximum. */
const PAUSE_READINGS = 20
const PAUSE_READINGS_MAX = 160
/** After this many readings without a pause, video fits the bandwidth: the next pause is a first one again. */
const FITS_READINGS = 30

/** Decides when video is reduced in favour of speech: for a while after each cause, longer after each failed retry. */
export class Sparing {
  isOn = false
  /** Readings since `on` changed. */
  #readings = 0
  #pause = PAUSE_READINGS / 2

  /**
   * @param isOver ends the pause early
   * @returns true if `on` has changed
   */
  read(hasCause: boolean, isOver = false): boolean {
    this.#readings++
    if (!this.isOn && this.#readings === FITS_READINGS) this.#pause = PAUSE_READINGS / 2
    if (this.isOn ? this.#readings < this.#pause && !isOver : !hasCause) return false
    this.isOn = !this.isOn
    this.#readings = 0
    if (this.isOn) this.#pause = Math.min(PAUSE_READINGS_MAX, this.#pause * 2)
    return true
  }
}
