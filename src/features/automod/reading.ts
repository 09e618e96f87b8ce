import { mentionsIn } from '../../core/markup/references.ts'
import { foldedReadings } from './fold.ts'
import { drawnHosts, hostsIn, inviteIn } from './links.ts'

/** A text in the forms in which triggers look at it. Each is computed once, however many rules need it. */
export class Reading {
  /** Folded, in every reading. */
  readonly folded: string[]
  #drawnHosts: Set<string> | undefined
  #allHosts: Set<string> | undefined
  #invite: { found: string | undefined } | undefined
  #mentions: string[] | undefined

  constructor(readonly text: string) {
    this.folded = foldedReadings(text)
  }

  /** The hosts of the links that readers can click. */
  get drawnHosts(): Set<string> {
    return (this.#drawnHosts ??= new Set(drawnHosts(this.text)))
  }

  /** The hosts of everything like a link. */
  get allHosts(): Set<string> {
    return (this.#allHosts ??= new Set(hostsIn(this.text)))
  }

  /** The first invite to a community. */
  get invite(): string | undefined {
    return (this.#invite ??= { found: inviteIn(this.text, this.folded) }).found
  }

  /** The people and roles that are mentioned. */
  get mentions(): string[] {
    if (this.#mentions) return this.#mentions
    const { people, roles } = mentionsIn(this.text)
    return (this.#mentions = [...people.map(String), ...roles.map((id) => `&${id}`)])
  }
}
