import { eventText } from '../core/events.ts'
import { type Packed, packed, packedStart, withEnd } from './compression.ts'
import { type LazyServers, type ServerChoice, serversToOpen } from './lazy-servers.ts'
import type { Ready } from './model.ts'
import type { EarlierPlaces, MarkQuestions, PlaceForm, PlaceInputs, PlaceKeeper } from './place-keeper.ts'
import { type MarkAnswers, Marks, type OwnMarks } from './read-marks.ts'
import type { Membership } from './server-views.ts'

/*
 * The servers and read marks of an account are most of `ready`. Both follow from what an opening reads: the views of
 * the servers, the marks, a few lists and the answers of the database. If an account opens again and all of that is the
 * same, its `ready` begins with the same bytes. So these are kept compressed, from the second such opening on.
 *
 * An opening reads no less for that. Nothing has to be forgotten when something changes, because all of it is compared.
 */

/** Choices of servers whose bytes are kept for one account. */
const FORMS_MAX = 3
/** More text than that is not kept. */
const TEXT_MAX = 128 * 1024
/** Approximate size of the objects of one account, and of a form. */
const OBJECTS_BYTES = 600
const FORM_BYTES = 200
/** Level 9 takes half a millisecond more, which few openings would repay. */
const LEVEL = 6

/** The fields of `ready` that are made here. They come first. */
export type Placed = Pick<Ready, 'servers' | 'read_marks'>

const HEAD = eventText('ready', undefined, '').slice(0, -1)

/** The beginning of an account's `ready`. */
export interface ReadyStart {
  /** The whole frame. @param end the other fields and the closing braces */
  frame(end: string, isCompressed: boolean): Packed
}

/** The servers and read marks of an account in one opening. */
export class OwnPlaces {
  /** Questions for the database. */
  readonly questions: MarkQuestions
  readonly #inputs: PlaceInputs
  /** Of an earlier opening, or of this one, from `settle` on. */
  #places: EarlierPlaces | undefined
  #marks: Marks | undefined
  #answers: MarkAnswers | undefined

  /** @param settings the account's settings of notifications, as JSON without the brackets */
  constructor(
    private readonly own: OwnMarks,
    private readonly memberships: Membership[],
    private readonly settings: string,
    private readonly keeper: PlaceKeeper,
  ) {
    this.#inputs = inputsOf(own, memberships, settings)
    const earlier = keeper.placesOf(own.user_id, own.marks)
    if (earlier && isSame(earlier.inputs, this.#inputs)) this.#places = earlier
    else this.#marks = new Marks(own, memberships)
    this.questions = this.#places?.questions ?? this.#unsettled().questions()
  }

  /** Takes the answers of the database. Call before the methods below. */
  settle(answers: MarkAnswers): void {
    this.#answers = answers
    const text = answersText(this.questions, answers)
    if (this.#places?.answers === text) return
    this.#places = { inputs: this.#inputs, questions: this.questions, answers: text, forms: new Map() }
    const texts = text.length + this.#inputs.text.length
    if (texts > TEXT_MAX) return
    const numbers = this.#inputs.numbers.byteLength + 8 * this.questions.unclaimed.length
    this.keeper.keepPlaces(this.own.user_id, this.own.marks, this.#places, texts + numbers + OBJECTS_BYTES)
  }

  /** The ids of the servers that a client's choice opens. */
  toOpen(choice: ServerChoice, isResumed: boolean): ReadonlySet<number> {
    const form = this.#places?.forms.get(formOf(choice, isResumed))
    return form?.openIds ?? serversToOpen(choice, isResumed, this.#settled())
  }

  /** @param lazy undefined for a client that wants all servers */
  start(choice: ServerChoice | undefined, isResumed: boolean, lazy: LazyServers | undefined): ReadyStart {
    const text = () => this.#text(lazy)
    const form = this.#formFor(choice, isResumed, lazy)
    return {
      frame: (end, isCompressed) => {
        if (!isCompressed) return text() + end
        // Most accounts do not open twice before something changes.
        return form ? withEnd((form.start ??= this.#packed(text())), end) : packed(text() + end)
      },
    }
  }

  /** The form of an earlier opening; undefined for the first one, which is noted. */
  #formFor(choice: ServerChoice | undefined, isResumed: boolean, lazy: LazyServers | undefined): PlaceForm | undefined {
    const forms = this.#places?.forms
    // When a mute ends, the counts of the servers change.
    if (!forms || (lazy && this.settings.includes('"muted_until":"'))) return undefined
    const name = formOf(choice, isResumed)
    const earlier = forms.get(name)
    if (earlier || forms.size >= FORMS_MAX) return earlier
    const openIds = lazy && new Set(lazy.open.map(({ view }) => view.id))
    forms.set(name, { openIds, start: undefined })
    this.#grow(FORM_BYTES + name.length + (openIds?.size ?? 0) * 16)
    return undefined
  }

  #packed(text: string): Uint8Array {
    // A copy, without the rest of the buffer.
    const bytes = packedStart(text, LEVEL).slice()
    this.#grow(bytes.length)
    return bytes
  }

  #grow(bytes: number): void {
    if (this.#places) this.keeper.growPlaces(this.own.user_id, this.#places, bytes)
  }

  #text(lazy: LazyServers | undefined): string {
    const marks = this.#settled()
    const servers = lazy
      ? lazy.text(marks, this.settings)
      : `[${this.memberships.map(({ view }) => view.readyText).join(',')}]`
    return `${HEAD}{"servers":${servers},"read_marks":${marks.text({ isOpen: lazy?.isOpen })}`
  }

  #unsettled(): Marks {
    return (this.#marks ??= new Marks(this.own, this.memberships))
  }

  #settled(): Marks {
    const marks = this.#unsettled()
    const answers = this.#answers
    this.#answers = undefined
    return answers ? marks.settle(answers) : marks
  }
}

const formOf = (choice: ServerChoice | undefined, isResumed: boolean): string =>
  choice ? `${isResumed ? 'resumed' : ''} ${choice.isRecent ? 'recent' : ''} ${choice.ids.join()}` : ''

function inputsOf(
  { blocked_ids, groups, threads, dms }: OwnMarks,
  memberships: Membership[],
  settings: string,
): PlaceInputs {
  const numbers = new Float64Array(memberships.length * 2)
  for (const [at, { view, member }] of memberships.entries()) {
    numbers[2 * at] = view.number
    numbers[2 * at + 1] = member.floor_id
  }
  const ofThreads = threads.map((thread) => [thread.id, thread.server_id, thread.parent_id, thread.last_message_id])
  return { numbers, text: `${JSON.stringify([blocked_ids, groups, dms, ofThreads])} ${settings}` }
}

function isSame(one: PlaceInputs, other: PlaceInputs): boolean {
  if (one.text !== other.text || one.numbers.length !== other.numbers.length) return false
  for (let at = 0; at < one.numbers.length; at++) if (one.numbers[at] !== other.numbers[at]) return false
  return true
}

const answersText = ({ doubtful, unclaimed }: MarkQuestions, { unread, living }: MarkAnswers): string =>
  JSON.stringify([doubtful.map((id) => unread?.get(id) ?? null), unclaimed.filter((id) => living.has(id))])
