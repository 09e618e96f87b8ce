/** Events remembered as sent, for the few seconds in which a transaction may commit after later ones. */
const SENT_MAX = 5_000
/** Further ones that may gather until the oldest are forgotten together. */
const SLACK = 500

/**
 * The newest events that a session has sent, by their ids in the log. They are a sorted array, because a Set of 5,000
 * ids takes some 200 KB, and each busy bot has one. Nearly every id is greater than all before it.
 */
export class SentEvents {
  readonly #ids: number[]
  #forgottenId: number

  /** @param forgottenId events up to this one are not remembered one by one */
  constructor(ids: Iterable<number>, forgottenId: number) {
    this.#ids = [...new Set(ids)].toSorted((a, b) => a - b)
    this.#forgottenId = forgottenId
  }

  /** The remembered ids, ascending. */
  get ids(): number[] {
    return [...this.#ids]
  }

  /** The newest event that is no longer remembered. Earlier ones may have been sent or not. */
  get forgottenId(): number {
    return this.#forgottenId
  }

  has(id: number): boolean {
    return this.#ids[this.#placeOf(id)] === id
  }

  /** @returns false if the event was remembered before */
  add(id: number): boolean {
    const ids = this.#ids
    const place = this.#placeOf(id)
    if (ids[place] === id) return false
    if (place === ids.length) ids.push(id)
    else ids.splice(place, 0, id)
    if (ids.length > SENT_MAX + SLACK) {
      const oldest = ids.splice(0, ids.length - SENT_MAX)
      this.#forgottenId = Math.max(this.#forgottenId, ...oldest.slice(-1))
    }
    return true
  }

  delete(id: number): void {
    const place = this.#placeOf(id)
    if (this.#ids[place] === id) this.#ids.splice(place, 1)
  }

  /** The index of the first id that is not less; the length if all are. */
  #placeOf(id: number): number {
    const ids = this.#ids
    if (id > (ids.at(-1) ?? -Infinity)) return ids.length
    let [low, high] = [0, ids.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] ?? 0) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
