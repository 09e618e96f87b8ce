import { withoutHidden } from '../../core/visible.ts'
import type { PublicAuthor, PublicNames } from './places.ts'

const A = 65
const LETTERS = 26

/** The nth label: A to Z, then AA and so on. */
function label(nth: number): string {
  const rest = Math.floor(nth / LETTERS)
  return (rest > 0 ? label(rest - 1) : '') + String.fromCharCode(A + (nth % LETTERS))
}

/** Names of people on one page: those who chose it by theirs, each other by a letter of the page. */
export class ShownNames {
  readonly #letters = new Map<number, string>()
  /** The accounts that appear by their names. */
  readonly namedIds = new Set<number>()

  constructor(private readonly names: PublicNames) {}

  author({ id, name }: PublicAuthor): string {
    if (name === null) return this.#member(id)
    this.namedIds.add(id)
    return withoutHidden(name)
  }

  person(id: number): string {
    return this.author({ id, name: this.names.people.get(id) ?? null })
  }

  place(id: number): { name: string; path: string } | undefined {
    return this.names.places.get(id)
  }

  hasMessage(id: number): boolean {
    return this.names.messages.has(id)
  }

  #member(id: number): string {
    const letter = this.#letters.get(id) ?? label(this.#letters.size)
    this.#letters.set(id, letter)
    return `A member (${letter})`
  }
}
