import type { Status } from '../features/members/model.ts'

/** Writes lists of accounts that are not offline, without duplicates. Built for many overlapping lists. */
export class PresenceLists {
  /** Index of each account in the two arrays below; undefined for offline accounts. */
  readonly #places = new Map<number, number | undefined>()
  readonly #texts: string[] = []
  /** Number of the list that last contained each account. */
  readonly #listed: number[] = []
  #lists = 0

  /** @param textOf JSON of an account's presence; undefined leaves it out */
  constructor(private readonly textOf: (user_id: number) => string | undefined) {}

  /** The indexes of accounts. */
  placesOf(user_ids: readonly number[]): number[] {
    const found: number[] = []
    for (const id of user_ids) {
      const place = this.#placeOf(id)
      if (place !== undefined) found.push(place)
    }
    return found
  }

  /** A JSON array of the accounts in any of these groups of indexes. */
  list(groups: (readonly number[])[]): string {
    const list = ++this.#lists
    const texts: string[] = []
    for (const places of groups)
      for (const place of places) {
        if (this.#listed[place] === list) continue
        this.#listed[place] = list
        texts.push(this.#texts[place] ?? '')
      }
    return `[${texts.join(',')}]`
  }

  #placeOf(user_id: number): number | undefined {
    const known = this.#places.get(user_id)
    if (known !== undefined || this.#places.has(user_id)) return known
    const text = this.textOf(user_id)
    const place = text === undefined ? undefined : this.#texts.push(text) - 1
    this.#places.set(user_id, place)
    return place
  }
}

/** JSON of a presence. */
export const presenceText = (user_id: number, status: Status): string => `{"user_id":${user_id},"status":"${status}"}`
