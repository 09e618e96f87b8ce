import type { PackedMarks } from './mark-list.ts'

/** Questions that an account's marks and the views of its servers leave to the database. */
export interface MarkQuestions {
  user_id: number
  /** Channels that their newest message does not decide. */
  doubtful: readonly number[]
  /** Channels of marks that may be those of archived threads, or of deleted channels. */
  unclaimed: readonly number[]
}

/** All that an account's servers and read marks in `ready` follow from, besides its marks and the answers. */
export interface PlaceInputs {
  /** By membership: the number of the view, and the message that reading begins with. */
  numbers: Float64Array
  text: string
}

/** The beginning of `ready` for one choice of servers. */
export interface PlaceForm {
  /** The ids of the servers that are open; undefined means all. */
  openIds: ReadonlySet<number> | undefined
  /** From the second opening on. */
  start: Uint8Array | undefined
}

/** An opening's servers and read marks, for later openings of the account. */
export interface EarlierPlaces {
  inputs: PlaceInputs
  questions: MarkQuestions
  /** Text of the answers. */
  answers: string
  /** By choice. */
  forms: Map<string, PlaceForm>
}

/** Keeps servers and read marks of openings, for as long as the marks are kept. */
export interface PlaceKeeper {
  placesOf(userId: number, marks: PackedMarks): EarlierPlaces | undefined
  /** @param bytes approximate size */
  keepPlaces(userId: number, marks: PackedMarks, places: EarlierPlaces, bytes: number): void
  growPlaces(userId: number, places: EarlierPlaces, bytes: number): void
}
