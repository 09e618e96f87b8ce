/** Pictures are spared for so many readings; soon after that for twice as many. */
const PAUSE_READINGS = 20
const PAUSE_READINGS_MAX = 160
/** Video that works for this long after a pause is assumed to fit the bandwidth. */
const FITS_READINGS = 30

/** Pauses video in favour of speech: for a while after each cause, and longer after each failed retry. */
export class Sparing {
  on = false
  /** Since it changed. */
  #readings = 0
  #pause = PAUSE_READINGS / 2

  /** @returns whether it has changed */
  read(hasCause: boolean, isOver = false): boolean {
    this.#readings++
    if (!this.on && this.#readings === FITS_READINGS) this.#pause = PAUSE_READINGS / 2
    if (this.on ? this.#readings < this.#pause && !isOver : !hasCause) return false
    this.on = !this.on
    this.#readings = 0
    if (this.on) this.#pause = Math.min(PAUSE_READINGS_MAX, this.#pause * 2)
    return true
  }
}
