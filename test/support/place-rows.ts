import type { Answer, Person } from './harness.ts'
import { type PlaceCaller, placeCallers, type PlaceType, type Scene } from './place-scenes.ts'

type Expected = Record<PlaceCaller, number>
type Ask = (scene: Scene, who: Person) => Promise<Pick<Answer, 'status'>>

/** Answers of a route by type of place, for the types to which it applies. */
export interface PlaceRow {
  ask: Ask
  expected: Partial<Record<PlaceType, Expected>>
}

/** To whoever has an account: to most, there is no such place. */
export const everyone = (status: number): Expected => ({
  ...(Object.fromEntries(placeCallers.map((caller) => [caller, status])) as Expected),
  deleted: 401,
})
export const NOBODY = everyone(404)

export const heldBack = (status: number) => ({ pending: status, unverified: status, quarantined: status })
/** The same to every member who sees the place. */
export const seers = (status: number, other: Partial<Expected> = {}): Expected => ({
  ...NOBODY,
  member: status,
  beginner: status,
  moderator: status,
  silent: status,
  timed_out: status,
  ...heldBack(status),
  blocked: status,
  ...other,
})
/** Calls that need a bit that `silent` lacks, and that a timeout and holding back remove. */
export const writers = (status: number) => seers(status, { silent: 403, timed_out: 403, ...heldBack(403) })
/** Calls that need a moderator's bit. */
export const moderators = (status: number, beginner = 403) => seers(403, { moderator: status, beginner })
/** To those in a dm or group; something else to accounts that alice blocks, where it would reach her. */
export const parties = (participant: number, blocked = participant): Expected => ({ ...NOBODY, participant, blocked })

type Given = Partial<Record<PlaceType | 'server' | 'direct', Expected>>
/** `server`: text, voice, category, forum and thread where they are not named; `direct`: dm and group. */
export function row(ask: Ask, { server, direct, ...named }: Given): PlaceRow {
  return {
    ask,
    expected: {
      ...(server && { text: server, voice: server, category: server, forum: server, thread: server }),
      ...(direct && { dm: direct, group: direct }),
      ...named,
    },
  }
}
/** Calls about a message, which categories and forums do not have. */
export function ofMessage(ask: Ask, expectations: Given): PlaceRow {
  const { category: _, forum: __, ...expected } = row(ask, expectations).expected
  return { ask, expected }
}
export const message = ({ message_id }: Scene) => `/api/messages/${message_id}`

/** Calls that every member who sees the place is refused. */
export const refused = (ask: Ask): PlaceRow => row(ask, { server: seers(403), direct: parties(403) })
