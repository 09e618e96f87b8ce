import type { PublicUser } from '../../core/schema.ts'
import type { Message } from '../../features/messages/model.ts'
import { Unknown } from '../refusals.ts'
import { userOf } from '../shapes/users.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { showMessages } from './messages.ts'
import { route } from './router.ts'

const USERS_MAX = 100

async function voters(call: Call): Promise<Reply> {
  const [id, answer] = [await call.id('message'), call.param('answer')]
  if (!/^\d{1,3}$/.test(answer)) throw new Unknown('message')
  const limit = numberIn(call.query, 'limit', USERS_MAX) ?? 25
  const after = call.query.get('after')
  const cursor = after ? await call.cursor('user', 'after', after) : ''
  const path = `/api/messages/${id}/poll/answers/${answer}/voters?limit=${limit}${cursor}`
  const users = await call.own<PublicUser[]>('GET', path)
  return call.resolve((of) => ({ users: users.map((user) => userOf(of, user)) }))
}

async function end(call: Call): Promise<Reply> {
  const id = await call.id('message')
  await call.own('POST', `/api/messages/${id}/poll/end`)
  return (await showMessages(call, [await call.own<Message>('GET', `/api/messages/${id}`)]))[0]
}

export const pollRoutes = [
  route('GET', '/channels/:channel/polls/:message/answers/:answer', 'message', voters),
  route('POST', '/channels/:channel/polls/:message/expire', 'message', end),
]
