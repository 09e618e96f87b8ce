import type { Shown } from '../features/status/shown.ts'

/** Writes lists of accounts that are not offline, without duplicates. Built for many overlapping lists. */
export class PresenceLists {
  /** Index of each account in the two arrays below; undefined for offline accounts. */
  readonly #places = new Map<number, number | undefined>()
  readonly #texts: string[] = []
  /** Number of the list that last contained each account. */
  readonly #lastListOf: number[] = []
  #lists = 0

  /** @param textOf JSON of an account's presence; undefined leaves it out */
  constructor(private readonly textOf: (userId: number) => string | undefined) {}

  /** The indexes of accounts. */
  placesOf(userIds: readonly number[]): number[] {
    const places: number[] = []
    for (const id of userIds) {
      const place = this.#placeOf(id)
      if (place !== undefined) places.push(place)
    }
    return places
  }

  /** A JSON array of the accounts in any of these groups of indexes. */
  list(groups: (readonly number[])[]): string {
    const list = ++this.#lists
    const texts: string[] = []
    for (const places of groups)
      for (const place of places) {
        if (this.#lastListOf[place] === list) continue
        this.#lastListOf[place] = list
        texts.push(this.#texts[place] ?? '')
      }
    return `[${texts.join(',')}]`
  }

  #placeOf(userId: number): number | undefined {
    const knownPlace = this.#places.get(userId)
    if (knownPlace !== undefined || this.#places.has(userId)) return knownPlace
    const text = this.textOf(userId)
    const place = text === undefined ? undefined : this.#texts.push(text) - 1
    this.#places.set(userId, place)
    return place
  }
}

/** JSON of a presence. */
export const presenceText = (userId: number, view: Shown): string =>
  view.text === undefined && view.emoji === undefined
    ? `{"user_id":${userId},"status":"${view.status}"}`
    : JSON.stringify({ user_id: userId, ...view })
