import { Elysia } from 'elysia'
import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { ephemeralFrame, topic } from '../../core/events.ts'
import { BODY_CODES, type ErrorCode, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { FriendRequest, Relation } from './model.ts'
import { move } from './moves.ts'
import type { PresenceOf } from '../status/model.ts'
import type { Action, RelationState } from './relation.ts'

const tags = ['Friends']
const params = z.object({ user_id: DecimalId })

/** Stricter than the general limit, because a request reaches a stranger. */
const REQUESTS: BucketPolicy = { name: 'friend-requests', burst: 20, refillPerS: 0.05 }

/** Applies an action to a relation; new friends get each other's presence. */
function mover({ write, bus }: Parts, presenceOf: PresenceOf) {
  return async (me: number, other: number, action: Action): Promise<Relation> => {
    const { relation, before } = await write((sql, emit, notify) => move(sql, emit, notify, me, other, action))
    if (relation.state === 'friends' && before !== 'friends')
      for (const [receiver, friend] of [
        [me, other],
        [other, me],
      ] as const) {
        const users = [presenceOf(friend)]
        bus.publish(ephemeralFrame(topic.user(receiver), 'presence.updated', { users }))
      }
    return relation
  }
}

/** Lists of an account's relations by state. */
const relationRoutes = (parts: Parts, sessions: Sessions) => {
  const list = (userId: number, state: RelationState, query: CursorQuery, request: Request) =>
    cursorList<Relation>(
      request,
      query,
      'oldest',
      (row) => row.user.id,
      (scan) => parts.sql`
        select public_user(u) as user, r.state, r.since from relations_of r join users u on u.id = r.other_id
        where r.user_id = ${userId} and r.state = ${state} and ${slice(parts.sql, 'other_id', scan)}`,
    )
  const listing = (summary: string) => ({
    query: CursorQuery,
    detail: { summary: `${summary}, ordered by their ids`, tags },
    response: answers({ 200: z.array(Relation) }, ...SHAPE_CODES, ...TOKEN_CODES),
  })
  return new Elysia({ prefix: '/api/friends' })
    .use(signedIn(parts, sessions))
    .get('', async ({ me, query, request }) => list(me.id, 'friends', query, request), listing('List friends'))
    .get(
      '/pending',
      async ({ me, query, request }) => list(me.id, 'pending_incoming', query, request),
      listing('List those whose requests wait for an answer'),
    )
    .get(
      '/sent',
      async ({ me, query, request }) => list(me.id, 'pending_outgoing', query, request),
      listing('List the people whose answer to a request is awaited'),
    )
    .get(
      '/blocked',
      async ({ me, query, request }) => list(me.id, 'blocked', query, request),
      listing('List the blocked people'),
    )
}

/** Options shared by the routes of all actions. */
const options = (summary: string, ...codes: ErrorCode[]) => ({
  params,
  body: NoBody,
  detail: { summary, tags },
  response: answers({ 200: Relation }, 'cannot_target_self', 'not_found', ...codes, ...BODY_CODES, ...TOKEN_CODES),
})

const REQUEST_CODES = [
  'cannot_contact',
  'cannot_target_self',
  'not_found',
  'already_requested',
  'already_friends',
  'blocked_by_you',
  'too_many_friends',
  ...BODY_CODES,
  ...TOKEN_CODES,
] as const

const moveRoutes = (parts: Parts, sessions: Sessions, presenceOf: PresenceOf) => {
  const to = mover(parts, presenceOf)
  return new Elysia({ prefix: '/api/friends' })
    .use(signedIn(parts, sessions))
    .post(
      '/request',
      async ({ me, caller, body, status }) => {
        await parts.limits.take(caller, REQUESTS, `user:${me.id}`)
        const relation = await to(me.id, body.friend_id, 'request')
        return status(relation.state === 'friends' ? 200 : 201, relation)
      },
      {
        body: FriendRequest,
        detail: { summary: 'Send a friend request; 200 if the other account had sent one, which is accepted', tags },
        response: answers({ 200: Relation, 201: Relation }, ...REQUEST_CODES),
      },
    )
    .post(
      '/:user_id/accept',
      async ({ me, params }) => to(me.id, params.user_id, 'accept'),
      options('Accept a request', 'too_many_friends'),
    )
    .post('/:user_id/decline', async ({ me, params }) => to(me.id, params.user_id, 'decline'), options('Decline it'))
    .post(
      '/:user_id/cancel',
      async ({ me, params }) => to(me.id, params.user_id, 'cancel'),
      options('Take a request back'),
    )
    .post(
      '/:user_id/block',
      async ({ me, params }) => to(me.id, params.user_id, 'block'),
      options('Block an account, which is not notified', 'too_many_blocks'),
    )
    .post('/:user_id/unblock', async ({ me, params }) => to(me.id, params.user_id, 'unblock'), options('Unblock it'))
    .delete(
      '/:user_id',
      async ({ me, params, status }) => {
        await to(me.id, params.user_id, 'remove')
        return status(204, undefined)
      },
      {
        params,
        detail: { summary: 'End a friendship', tags },
        response: answers({ 204: Nothing }, 'cannot_target_self', 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
}

/** Friends, friend requests and blocks. */
export const friendRoutes = (parts: Parts, sessions: Sessions, presenceOf: PresenceOf) =>
  new Elysia().use(relationRoutes(parts, sessions)).use(moveRoutes(parts, sessions, presenceOf))
