import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, Time } from '../../core/schema.ts'

const state = z.enum(['none', 'friends', 'pending_incoming', 'pending_outgoing', 'blocked'])
const since = Time.nullable().describe('null where nothing stands between the two')

export const Relation = z.object({ user: PublicUser, state, since }).meta({ title: 'Relation' })
export type Relation = z.infer<typeof Relation>

/** A relation in the gateway's `ready`. */
export const RelationMark = z.object({ user_id: Id, state, since }).meta({ title: 'RelationMark' })

export const FriendRequest = z.strictObject({ friend_id: Id })

export const friendEvents = {
  'friend.updated': durable(
    z.object({ user_id: Id.describe('the other'), relation: Relation.describe('as the receiver sees it') }),
    (d) => `relation:${d.user_id}`,
    'each of the two whose own view has changed',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof friendEvents> {}
}
