import { happenings, type Pick, type World } from './happenings.ts'
import type { Person } from './harness.ts'
import { png, upload } from './uploads.ts'

interface Place {
  server_id: number
  channel_id: number
  /** A message in the channel. */
  id: number
}

/** Reactions in quick succession are published every quarter of a second. */
const published = async (reacting: Promise<unknown> | undefined): Promise<void> => {
  await reacting
  await Bun.sleep(300)
}

/** Steps with reactions, pins, emoji and saved messages in a server of alice's. */
export function reactionSteps(world: World, [alice, bob, carol]: Person[], { server_id, channel_id, id }: Place) {
  const own = { ...world, servers: [server_id] }
  const [oldest, newest]: [Pick, Pick] = [(list) => list.at(0), (list) => list.at(-1)]
  const owl = `/api/messages/${id}/reactions/🦉`
  let pollId = 0
  const beginPoll = async () => {
    const poll = { question: 'Which?', answers: [{ text: 'One' }, { text: 'Two' }] }
    pollId = (await alice?.post(`/api/channels/${channel_id}/messages`, { poll }))?.body.id
  }
  let eventId = 0
  const planWalk = async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const walk = { title: 'A walk', starts_at: inDays(2), ends_at: inDays(3), time_zone: 'UTC', signup: {} }
    eventId = (await alice?.post(`/api/servers/${server_id}/events`, { ...walk, place: { text: 'Here' } }))?.body.id
  }
  const steps: Record<string, () => Promise<unknown> | undefined> = {
    'bob reacts': () => published(bob?.put(`${owl}/@me`)),
    'alice reacts too': () => published(alice?.put(`${owl}/@me`)),
    'alice clears': () => published(alice?.delete(owl)),
    'carol begins again': () => published(carol?.put(`${owl}/@me`)),
    'alice begins a poll': beginPoll,
    'bob votes': () => published(bob?.put(`/api/messages/${pollId}/poll/votes`, { answer_ids: [2] })),
    'carol votes too': () => published(carol?.put(`/api/messages/${pollId}/poll/votes`, { answer_ids: [1] })),
    'alice ends the poll': () => published(alice?.post(`/api/messages/${pollId}/poll/end`, {})),
    'alice pins': () => alice?.put(`/api/channels/${channel_id}/pins/${id}`),
  }
  if (!alice) return steps
  return {
    ...steps,
    'alice plans a walk': planWalk,
    'bob signs up for it': () => bob?.put(`/api/events/${eventId}/signup`, { status: 'yes' }),
    'bob is reminded of it': async () => {
      await alice.parley.parts.sql`update event_signups set next_remind_at = now() where event_id = ${eventId}`
      await alice.parley.sweep()
    },
    'alice cancels it': () => alice.delete(`/api/events/${eventId}`),
    'an emoji is made': () => happenings['new emoji']?.(own, alice, oldest, 1),
    'another is made': () => happenings['new emoji']?.(own, alice, oldest, 2),
    'bob is reminded of a saved message': async () => {
      const remind_at = new Date(Date.now() + 3_600_000).toISOString()
      await bob?.put(`/api/saved/${id}`, { remind_at })
      await alice.parley.parts.sql`update saved_messages set remind_at = now() where message_id = ${id}`
      await alice.parley.sweep()
    },
    'bob has dealt with it': () => bob?.put(`/api/saved/${id}`, { remind_at: null }),
    'bob saves it no more': () => bob?.delete(`/api/saved/${id}`),
    'a scheduled message of bob’s is returned': async () => {
      const send_at = new Date(Date.now() + 3_600_000).toISOString()
      const draft = { content: 'Later' }
      if (!bob) return
      const path = `/api/channels/${channel_id}/scheduled`
      const { body } = await bob.post(path, { draft, send_at })
      const { body: goes } = await bob.post(path, { draft: { ...draft, reply_to_id: id }, send_at })
      await alice.parley.parts.sql`update scheduled_messages set send_at = now(), due_at = now(),
        reply_to_id = case when id = ${goes.id} then null else ${Number.MAX_SAFE_INTEGER}::bigint end
        where id in (${body.id}, ${goes.id})`
      await alice.parley.sweep()
    },
    'he cancels it': async () => {
      const rows = (await bob?.get('/api/scheduled'))?.body ?? []
      for (const one of rows) await bob?.delete(`/api/scheduled/${one.id}`)
    },
    'a sticker is made': () => happenings['new sticker']?.(own, alice, oldest, 1),
    'another sticker is made': () => happenings['new sticker']?.(own, alice, oldest, 2),
    'the first sticker is renamed': async () => {
      const [sticker] = (await alice.get(`/api/servers/${server_id}/stickers`)).body
      await alice.put(`/api/stickers/${sticker.id}`, { name: 'Heron' })
    },
    'the second sticker is deleted': () => happenings['delete sticker']?.(own, alice, newest, 1),
    'bob keeps a picture': async () => {
      const { id: file_id } = await upload(alice, 'owl.png', 'image/png', await png(8, 8))
      await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [file_id] })
      await bob?.post('/api/favourites', { file_id })
    },
    'bob keeps it no more': async () => {
      const rows = (await bob?.get('/api/favourites'))?.body ?? []
      for (const one of rows) await bob?.delete(`/api/favourites/${one.id}`)
    },
    'one is renamed': () => happenings['rename emoji']?.(own, alice, oldest, 1),
    'the other is deleted': () => happenings['delete emoji']?.(own, alice, newest, 1),
  }
}
