import { expect, test } from 'bun:test'
import { isLockTimeout } from '../../../src/database/database.ts'
import { type Answer, newServer, type Person, standard, until } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { MIC } from '../../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts
const people = <N extends string[]>(...names: N) => passersBy(parley, ...names)
const wanting = async (...all: Person[]) => {
  for (const who of all) expect((await who.put('/api/auth/privacy', { requests: true })).status).toBe(200)
}
const dm = (from: Person, to: Person, content = 'Hello'): Promise<Answer> =>
  from.post('/api/dm/messages', { recipient_id: to.id, content })
const requestOf = async (who: Person, from: Person): Promise<unknown> =>
  (await who.get('/api/dm/conversations')).body.find(({ user }: any) => user.id === from.id)?.request
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body?.code

test('the first message of a stranger waits as a request, which its recipient ignores or accepts', async () => {
  const [alice, bob] = await people('alice', 'bob')
  expect(await codeOf(dm(alice, bob))).toBe('cannot_contact')
  await wanting(bob)
  const [hers, his] = [await connect(alice), await connect(bob)]
  const sent = await write(alice, bob, 'Buy feathers')
  const event = { channel_id: sent.channel_id, user_id: alice.id, request: 'waiting' }
  const first = await his.next('dm.request')
  expect(first.d).toEqual(event)
  expect(his.frames.indexOf(first)).toBeLessThan(his.frames.indexOf(await his.next('message.created')))
  expect([await requestOf(bob, alice), await requestOf(alice, bob)]).toEqual(['waiting', null])
  const answer = (who: Person, other: Person, state: string) => who.put(`/api/dm/${other.id}/request`, { state })
  expect(await codeOf(answer(alice, bob, 'accepted'))).toBe('not_found')
  expect((await answer(bob, alice, 'ignored')).status).toBe(204)
  expect((await his.next('dm.request', ({ d }) => d.request === 'ignored')).d.user_id).toBe(alice.id)
  await write(alice, bob, 'Really')
  expect(await requestOf(bob, alice)).toBe('ignored')
  const [ready] = (await connect(bob)).of('ready')
  expect(ready?.d.conversations[0]).toMatchObject({ channel_id: sent.channel_id, request: 'ignored' })
  expect((await answer(bob, alice, 'accepted')).status).toBe(204)
  await his.next('dm.request', ({ d }) => d.request === null)
  expect(await requestOf(bob, alice)).toBeNull()
  expect(await codeOf(answer(bob, alice, 'ignored'))).toBe('not_found')
  await hers.settled()
  expect(hers.of('dm.request')).toEqual([])
  for (const live of [hers, his]) live.close()
})

test('an answer, a call back and a friendship accept a request; an answer is no request itself', async () => {
  const [alice, bob, carol, dave] = await people('alice', 'bob', 'carol', 'dave')
  await wanting(alice, bob, carol, dave)
  await sql`update users set dms_from = 'everyone' where id = ${alice.id}`
  const channels = [await write(alice, bob, 'One'), await write(alice, carol, 'Two'), await write(alice, dave, 'Three')]
  const his = await connect(bob)
  await write(bob, alice, 'Yes?')
  expect((await his.next('dm.request')).d.request).toBeNull()
  const hers = await connect(carol)
  expect((await hers.command('voice.join', { channel_id: channels[1]?.channel_id, ...MIC })).error).toBeUndefined()
  await befriend(alice, dave)
  const requests = [bob, carol, dave].map((who) => requestOf(who, alice))
  expect([...(await Promise.all(requests)), await requestOf(alice, bob)]).toEqual(Array(4).fill(null))
  for (const live of [his, hers]) live.close()
})

test('friends, and people of a small server for a week, make no requests; a raider does', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  await wanting(bob, carol)
  await befriend(alice, carol)
  await write(alice, carol, 'Friend')
  expect(await requestOf(carol, alice)).toBeNull()
  const { server_id } = await newServer(alice, bob)
  const may = async () => {
    const [row] = await sql<{ strange: boolean }[]>`select is_stranger(${alice.id}, ${bob.id}) as strange`
    return row?.strange === false
  }
  expect(await may()).toBeFalse()
  await sql`update members set joined_at = now() - interval '8 days' where server_id = ${server_id}`
  expect(await may()).toBeTrue()
  await sql`update members set held_back = 'quarantined' where server_id = ${server_id} and user_id = ${alice.id}`
  expect(await may()).toBeFalse()
  await sql`update members set held_back = null where server_id = ${server_id}`
  await sql`update servers set member_count = 200 where id = ${server_id}`
  expect(await may()).toBeFalse()
  await sql`update servers set member_count = 199 where id = ${server_id}`
  await write(alice, bob, 'Neighbour')
  expect(await requestOf(bob, alice)).toBeNull()
})

test('an account makes at most ten requests in seven days', async () => {
  const [alice, last, ...others] = await passersBy(parley, ...Array.from({ length: 12 }, (_, at) => `person${at}`))
  await wanting(...(others as Person[]), last!)
  for (const other of others) await write(alice!, other, 'Hello')
  expect(await codeOf(dm(alice!, last!))).toBe('cannot_contact')
  // The conversations go on.
  await write(alice!, others[0]!, 'Again')
  await sql`update participants set requested_at = requested_at - interval '7 days' where user_id = ${others[1]!.id}`
  await write(alice!, last!, 'Now')
  expect(await requestOf(last!, alice!)).toBe('waiting')
})

/** Dms of the sender with others, who take requests; each is open, and has no message yet. */
async function prepared(sender: Person, others: Person[]): Promise<number[]> {
  await wanting(...others)
  const ids: number[] = []
  for (const { id } of others) {
    const { status, body } = await sender.post('/api/channels/direct', { recipient_ids: [id] })
    expect(status).toBe(201)
    ids.push(body.id)
  }
  return ids
}
const requestsBy = async ({ id }: Person) =>
  (await sql`select 1 from participants where other_id = ${id} and requested_at is not null`).length

/**
 * Sends as one of many processes does; one process sends an account's messages one after another.
 * @returns the outcome
 */
async function firstMessage(from: Person, channel_id: number): Promise<string | undefined> {
  const nothing = { file_ids: [], people: [], roles: [], everyone: false, here: false }
  const draft = JSON.stringify({ ...nothing, author_id: from.id, channel_id, content: 'Hello' })
  for (;;)
    try {
      const [row] = await sql<{ outcome: string }[]>`
        select outcome from send_message(json_populate_record(null::message_draft, ${draft}::text::json))`
      return row?.outcome
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
}

test('concurrent first messages in dms that were opened before count each other', async () => {
  const [alice, ...others] = await passersBy(parley, ...Array.from({ length: 31 }, (_, at) => `person${at}`))
  const channels = await prepared(alice!, others as Person[])
  const outcomes = await Promise.all(channels.map((id) => firstMessage(alice!, id)))
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(10)
  expect(outcomes.filter((outcome) => outcome === 'cannot_contact')).toHaveLength(20)
  expect(await requestsBy(alice!)).toBe(10)
})

test('a first message and a first call at once are not both the tenth request', async () => {
  const [alice, ...others] = await passersBy(parley, ...Array.from({ length: 13 }, (_, at) => `person${at}`))
  const channels = await prepared(alice!, others as Person[])
  for (const other of others.slice(2)) await write(alice!, other, 'Hello')
  const [first, second] = channels as [number, number]
  await sql`update participants set requested_at = requested_at - interval '7 days' where user_id = ${others[11]!.id}`
  const hers = await connect(alice!)
  const answers = await race<unknown>(
    parley,
    // The message has been let in by then.
    (tx) => tx`select pg_advisory_xact_lock(hashtextextended('n', ${alice!.id}::bigint * 1000003 + ${first}))`,
    [
      async () => (await alice!.post(`/api/channels/${first}/messages`, { content: 'Hello', nonce: 'n' })).body.code,
      async () => (await hers.command('voice.join', { channel_id: second, ...MIC })).error?.code,
    ],
  )
  expect(answers.filter((code) => code === 'cannot_contact')).toHaveLength(1)
  expect(await requestsBy(alice!)).toBe(11)
  hers.close()
})

/** The same text for the same things, whatever ids, names and times they have. */
function alike(value: unknown): string {
  const names = new Map<unknown, string>()
  return JSON.stringify(value, (key, inner) => {
    if (['ice_servers', 'voice_session_id', 'display_name', 'nonce'].includes(key)) return undefined
    if (/(_at|until)$/.test(key)) return inner === null ? null : 'time'
    if (!/(^|_)ids?$|^by$/.test(key) || inner === null || typeof inner === 'object') return inner
    names.set(inner, names.get(inner) ?? `#${names.size}`)
    return names.get(inner)
  })
}

const SEED = Number(process.env.REQUESTS_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Few enough for the limit of commands per minute. */
const STEPS = 35

test(`a request rings, types, pins, previews and pushes nothing, and looks like a dm (seed ${SEED})`, async () => {
  let state = SEED
  const below = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % n
  }
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  await wanting(bob)
  // Carol takes the same messages as an ordinary dm, and does not read them.
  await carol.put('/api/auth/privacy', { dms_from: 'everyone' })
  // Ids of messages, channels and people differ, so that `alike` tells them apart.
  await sql`select setval('messages_id_seq', 1000000), setval(pg_get_serial_sequence('channels', 'id'), 2000000)`
  const hers = await connect(alice)
  const his = await connect(bob)
  const channels = [(await write(alice, bob, 'Hello')).channel_id, (await write(alice, carol, 'Hello')).channel_id]
  const sent: [number, number][] = []
  const nothing = ['description', 'color', 'site_name', 'author', 'image', 'thumbnail', 'footer', 'timestamp']
  const embeds = [
    {
      type: 'link',
      url: 'https://example.org',
      title: 'Owls',
      fields: [],
      ...Object.fromEntries(nothing.map((name) => [name, null])),
    },
  ]
  const acts: ((at: 0 | 1, id: number, n: number) => Promise<unknown>)[] = [
    async (at, _, n) => (await dm(alice, [bob, carol][at]!, `Message ${n}`)).body,
    async (_, id, n) => (await alice.put(`/api/messages/${id}`, { content: `Edited ${n}` })).body,
    async (_, id) => (await alice.delete(`/api/messages/${id}`)).status,
    async (at, id) => (await alice.put(`/api/channels/${channels[at]}/pins/${id}`)).status,
    async (at, id) => (await alice.delete(`/api/channels/${channels[at]}/pins/${id}`)).status,
    async (at) => (await alice.get(`/api/channels/${channels[at]}/pins`)).body,
    async (_, id) => (await alice.put(`/api/messages/${id}/reactions/👍/@me`)).status,
    async (at) => (await hers.command('typing.start', { channel_id: channels[at] })).error,
    async (at) => {
      const joined = await hers.command('voice.join', { channel_id: channels[at], ...MIC })
      await hers.command('voice.leave')
      await until(
        async () =>
          (await sql`select 1 from calls where channel_id = ${channels[at]!} and ended_at is null`).length === 0,
      )
      return joined.error
    },
    async (at) => (await alice.get(`/api/dm/${[bob, carol][at]!.id}/messages`)).body,
    async (_, id, n) => {
      await sql`update messages set embeds = ${JSON.stringify(embeds)}::text::json where id = ${id}`
      return (await alice.put(`/api/messages/${id}`, { content: `See https://example.org ${n}` })).body
    },
  ]
  const readings = [
    () => bob.post(`/api/dm/${alice.id}/read-all`),
    () => bob.get(`/api/dm/${alice.id}/messages`),
    () => his.command('typing.start', { channel_id: channels[0] }),
    async () => {
      const id = sent[below(sent.length)]?.[0] ?? 0
      for (const refused of [
        bob.put(`/api/messages/${id}/reactions/👍/@me`),
        bob.put(`/api/channels/${channels[0]}/pins/${id}`),
      ])
        expect([403, 404]).toContain((await refused).status)
    },
  ]
  const seen = async (live: Gateway, from: number) => {
    await live.settled()
    return live.frames.slice(from).map(({ t, d }) => ({ t, d }))
  }
  await hers.settled()
  for (let n = 0; n < STEPS; n++) {
    if (sent.length > 0 && below(3) === 0) await readings[below(readings.length)]!()
    const act = acts[sent.length === 0 ? 0 : below(acts.length)]!
    const pair = sent[below(Math.max(1, sent.length))] ?? [0, 0]
    const results: string[] = []
    const newIds: number[] = []
    for (const at of [0, 1] as const) {
      const from = hers.frames.length
      const answer = await act(at, pair[at], n)
      if (act === acts[0]) newIds.push((answer as { id: number }).id)
      results.push(alike([answer, await seen(hers, from)]))
    }
    if (newIds.length > 0) sent.push(newIds as [number, number])
    expect(results[0]).toBe(results[1]!)
  }
  await his.settled()
  for (const type of ['call.ringing', 'typing.started']) expect(his.of(type)).toEqual([])
  const received = [...his.of('message.created'), ...his.of('message.updated')].map(({ d }) => d)
  expect(received.filter(({ pinned_at, embeds }) => pinned_at !== null || embeds.length > 0)).toEqual([])
  expect((await bob.get(`/api/channels/${channels[0]}/pins`)).body).toEqual([])
  const notice = async (who: Person, channelId: number | undefined) =>
    [...(await sql`select message_id from notice_in(${who.id}, ${channelId!}, 0, false)`)][0]
  expect(await notice(bob, channels[0])).toBeUndefined()
  expect((await connect(bob)).of('ready')[0]?.d.ringing).toEqual([])
  for (const live of [hers, his]) live.close()
})
