import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, call, type Person, say, standard, stop } from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, passersBy, peopleWithPassword } from '../../support/people.ts'
import { exportOf } from '../../support/factors.ts'
import { place, rank } from '../../support/places.ts'
import { forbidEveryone } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const people = await passersBy(parley, 'alice', 'bob', 'carol', 'dave', 'erin', 'frank')
const [alice, bob, carol] = people

const DAY = {
  question: 'Which day?',
  answers: [{ text: 'Saturday' }, { text: 'Sunday', emoji: '☀' }, { text: 'Never' }],
}
const begin = (who: Person, channel_id: number, poll: object = {}) =>
  who.post(`/api/channels/${channel_id}/messages`, { poll: { ...DAY, ...poll } })
const vote = (who: Person, id: number, ...answer_ids: number[]) =>
  who.put(`/api/messages/${id}/poll/votes`, { answer_ids })
const end = (who: Person, id: number) => who.post(`/api/messages/${id}/poll/end`, {})
const pollOf = async (who: Person, id: number) => (await who.get(`/api/messages/${id}`)).body.poll
/** Lets the time of the poll pass. */
const pass = (id: number) => sql`update polls set ends_at = now() - interval '1 ms' where message_id = ${id}`
const voters = (who: Person, id: number, answer: number) => who.get(`/api/messages/${id}/poll/answers/${answer}/voters`)

test('a poll is sent in a message, votes replace earlier ones, and everybody sees the counts', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const live = await connect(carol)
  const { status, body } = await begin(alice, channel_id)
  expect(status).toBe(201)
  const { id } = body
  const poll = {
    question: 'Which day?',
    answers: [
      { id: 1, text: 'Saturday', emoji: null },
      { id: 2, text: 'Sunday', emoji: '☀️' },
      { id: 3, text: 'Never', emoji: null },
    ],
    multiple: false,
    anonymous: false,
    ends_at: body.poll.ends_at,
    ended_at: null,
    voter_count: 0,
    counts: [0, 0, 0],
  }
  expect(body).toMatchObject({ content: '', poll })
  expect(Date.parse(body.poll.ends_at) - Date.now()).toBeWithin(86_390_000, 86_401_000)
  expect((await live.next('message.created')).d.poll).toEqual(poll)
  const own = await connect(bob)
  expect((await vote(bob, id, 2)).status).toBe(204)
  const change = { user_id: bob.id, added: [2], removed: [] }
  const news = { id, channel_id, voter_count: 1, counts: [0, 1, 0], ended_at: null, change }
  expect((await live.next('message.poll')).d).toEqual(news)
  expect((await own.next('poll.mine')).d).toEqual({ message_id: id, voted: true, answer_ids: [2] })
  expect((await vote(bob, id, 2)).status).toBe(204)
  expect((await vote(bob, id, 3)).status).toBe(204)
  await vote(carol, id, 3)
  expect(await pollOf(bob, id)).toEqual({
    ...poll,
    voter_count: 2,
    counts: [0, 0, 2],
    mine: { voted: true, answer_ids: [3] },
  })
  expect((await pollOf(alice, id)).mine).toEqual({ voted: false, answer_ids: [] })
  const [listed] = (await carol.get(`/api/channels/${channel_id}/messages`)).body
  expect(listed.poll).toMatchObject({ counts: [0, 0, 2], mine: { voted: true, answer_ids: [3] } })
  const names = async (answer: number) => (await voters(alice, id, answer)).body.map((one: any) => one.display_name)
  expect(await names(3)).toEqual([bob, carol].toSorted((a, b) => a.id - b.id).map(({ display_name }) => display_name))
  expect(await names(2)).toEqual([])
  expect((await voters(alice, id, 4)).status).toBe(404)
  expect((await vote(bob, id)).status).toBe(204)
  expect((await own.next('poll.mine', ({ d }) => !d.voted)).d).toEqual({ message_id: id, voted: false, answer_ids: [] })
  expect(await pollOf(bob, id)).toMatchObject({ voter_count: 1, counts: [0, 0, 1], mine: { voted: false } })
  expect(live.of('poll.mine')).toHaveLength(1)
  for (const socket of [live, own]) socket.close()
})

test('a vote is refused without a poll, for an answer that it lacks, and for too many answers', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = (await begin(alice, channel_id)).body
  const plain = await say(alice, channel_id, 'No poll')
  const several = (await begin(alice, channel_id, { multiple: true })).body.id
  const codes = async (...answers: Promise<{ status: number; body: any }>[]) =>
    (await Promise.all(answers)).map(({ status, body }) => [status, body?.code])
  expect(
    await codes(vote(bob, plain.id, 1), vote(bob, id, 4), vote(bob, id, 1, 2), vote(bob, id, 1, 1), vote(bob, id, 0)),
  ).toEqual([[404, 'not_found'], ...Array(4).fill([422, 'validation_failed'])])
  expect((await voters(bob, plain.id, 1)).status).toBe(404)
  expect((await end(alice, plain.id)).status).toBe(404)
  expect((await vote(bob, several, 3, 1)).status).toBe(204)
  expect(await pollOf(bob, several)).toMatchObject({ voter_count: 1, counts: [1, 0, 1], mine: { answer_ids: [1, 3] } })
})

test('a draft of a poll is refused if a rule is broken, and changes nothing', async () => {
  const { channel_id } = await place(alice)
  const { id } = await say(alice, channel_id, 'Before')
  const wrong = [
    { question: '' },
    { question: 'x'.repeat(301) },
    { answers: [{ text: 'One' }] },
    { answers: Array.from({ length: 11 }, (_, n) => ({ text: `${n}` })) },
    { answers: [{ text: 'x'.repeat(56) }, { text: 'Two' }] },
    { answers: [{ text: 'One', emoji: 'owl:1' }, { text: 'Two' }] },
    { hours: 0 },
    { hours: 769 },
    { hours: 1.5 },
    { color: 'red' },
  ]
  for (const poll of wrong) expect((await begin(alice, channel_id, poll)).status).toBe(422)
  const forward = { poll: DAY, forward_message_id: id }
  expect((await alice.post(`/api/channels/${channel_id}/messages`, forward)).status).toBe(422)
  const later = { draft: { poll: DAY }, send_at: new Date(Date.now() + 3_600_000).toISOString() }
  expect((await alice.post(`/api/channels/${channel_id}/scheduled`, later)).status).toBe(422)
  expect((await alice.get(`/api/channels/${channel_id}/messages`)).body).toHaveLength(1)
})

test('polls need send_polls; in dms and groups everybody may begin one', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await forbidEveryone(alice, server_id, 'send_polls')
  const refused = await begin(bob, channel_id)
  expect([refused.status, refused.body.code]).toEqual([403, 'missing_permission'])
  expect((await say(bob, channel_id, 'Only text')).id).toBeGreaterThan(0)
  await rank(parley, server_id, permissions('send_polls'), bob)
  expect((await begin(bob, channel_id)).status).toBe(201)
  const [dora, emil, finn] = await passersBy(parley, 'dora', 'emil', 'finn')
  await befriend(dora, emil)
  const direct = await dora.post('/api/dm/messages', { recipient_id: emil.id, poll: DAY })
  expect(direct.status).toBe(201)
  expect((await vote(emil, direct.body.id, 1)).status).toBe(204)
  expect((await vote(finn, direct.body.id, 1)).status).toBe(404)
})

test('a poll ends at its time: no vote counts from then on, and one notice says so', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = (await begin(alice, channel_id)).body
  await vote(bob, id, 1)
  await pass(id)
  // Before any job has been there.
  expect((await vote(bob, id, 2)).body.code).toBe('poll_ended')
  const live = await connect(bob)
  await parley.sweep()
  expect((await live.next('message.poll')).d).toMatchObject({ id, counts: [1, 0, 0], ended_at: expect.any(String) })
  const notice = (await live.next('message.created')).d
  expect(notice).toMatchObject({ kind: 'poll_ended', channel_id, data: { message_id: id }, author: { id: alice.id } })
  await parley.sweep()
  const kinds = (await bob.get(`/api/channels/${channel_id}/messages`)).body.map(({ kind }: any) => kind)
  expect(kinds).toEqual(['poll_ended', 'default'])
  expect((await end(alice, id)).body.code).toBe('poll_ended')
  expect((await pollOf(bob, id)).ended_at).not.toBeNull()
  live.close()
})

test('the author and moderators end a poll before its time, and nobody else', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  await rank(parley, server_id, permissions('manage_messages'), carol)
  const [first, second] = [(await begin(bob, channel_id)).body.id, (await begin(alice, channel_id)).body.id]
  expect((await end(bob, second)).status).toBe(403)
  expect((await end(bob, first)).status).toBe(204)
  expect((await end(carol, second)).status).toBe(204)
  for (const id of [first, second]) {
    const { ends_at, ended_at } = await pollOf(bob, id)
    expect(Date.parse(ended_at)).toBeLessThan(Date.parse(ends_at) - 3_600_000)
    expect((await vote(bob, id, 1)).body.code).toBe('poll_ended')
  }
  const notices = (await bob.get(`/api/channels/${channel_id}/messages`)).body.filter(
    ({ kind }: any) => kind !== 'default',
  )
  expect(notices.map(({ author, data }: any) => [author.id, data.message_id])).toEqual([
    [carol.id, second],
    [bob.id, first],
  ])
})

test('an anonymous poll keeps no link: votes are final, and counts appear at the end from five voters on', async () => {
  const { channel_id } = await place(...people)
  const live = await connect(alice)
  const { id } = (await begin(alice, channel_id, { anonymous: true })).body
  expect((await vote(bob, id)).status).toBe(422)
  expect((await vote(bob, id, 2)).status).toBe(204)
  expect((await vote(bob, id, 2)).body.code).toBe('already_voted')
  expect((await vote(bob, id, 1)).body.code).toBe('already_voted')
  for (const who of people.slice(2, 5)) await vote(who, id, 1)
  const hidden = { voter_count: 4, counts: null }
  expect(await pollOf(bob, id)).toMatchObject({ ...hidden, mine: { voted: true } })
  expect((await pollOf(bob, id)).mine).toEqual({ voted: true })
  expect((await pollOf(alice, id)).mine).toEqual({ voted: false })
  expect((await voters(alice, id, 1)).body.code).toBe('forbidden')
  const logged = async () => JSON.stringify([await sql`select body from events where resource like ${`%:${id}`}`])
  expect(await logged()).not.toMatch(/"counts":\s*\[/)
  const rows = await sql`select distinct answer_id from poll_votes where message_id = ${id}`
  expect(rows.map((row) => row.answer_id)).toEqual([0])
  const few = (await begin(alice, channel_id, { anonymous: true })).body.id
  for (const who of people.slice(0, 4)) await vote(who, few, 1)
  await end(alice, few)
  expect(await pollOf(alice, few)).toMatchObject({ voter_count: 4, counts: null, ended_at: expect.any(String) })
  await vote(alice, id, 3)
  await end(alice, id)
  expect((await live.next('message.poll', ({ d }) => d.id === id && d.ended_at !== null)).d.counts).toEqual([3, 1, 1])
  expect((await pollOf(bob, id)).counts).toEqual([3, 1, 1])
  live.close()
})

test('a timeout, holding back and a block in a dm forbid votes', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const { id } = (await begin(alice, channel_id)).body
  await sql`insert into timeouts values (${server_id}, ${bob.id}, now() + interval '1 day')`
  await sql`update members set held_back = 'quarantined' where server_id = ${server_id} and user_id = ${carol.id}`
  for (const who of [bob, carol]) expect((await vote(who, id, 1)).body.code).toBe('missing_permission')
  const [dora, emil] = await passersBy(parley, 'dora', 'emil')
  await befriend(dora, emil)
  const { body } = await dora.post('/api/dm/messages', { recipient_id: emil.id, poll: DAY })
  expect((await emil.post(`/api/friends/${dora.id}/block`)).status).toBe(200)
  expect((await vote(emil, body.id, 1)).body.code).toBe('cannot_contact')
})

test('a deleted message takes its poll along, and what the log knows of it', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = (await begin(alice, channel_id)).body
  await vote(bob, id, 1)
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  expect((await vote(bob, id, 2)).status).toBe(404)
  for (const table of ['polls', 'poll_votes'])
    expect(await sql`select 1 from ${sql(table)} where message_id = ${id}`).toHaveLength(0)
  const bodies = await sql`select body from events where resource = ${`poll:${id}`}`
  expect(bodies.map(({ body }) => body)).toEqual([null])
})

test('a deleted account’s votes go, except anonymous ones, which nothing links to it', async () => {
  const [erin, finn] = await peopleWithPassword(parley, 'erin', 'finn')
  const { channel_id } = await place(alice, erin, finn)
  const { id } = (await begin(alice, channel_id, { multiple: true })).body
  const secret = (await begin(alice, channel_id, { anonymous: true })).body.id
  await vote(erin, id, 1, 2)
  await vote(finn, id, 2)
  await vote(erin, secret, 1)
  const { body } = await exportOf(erin)
  expect(body.votes).toEqual([
    { message_id: id, answer_ids: [1, 2] },
    { message_id: secret, answer_ids: null },
  ])
  await deleteAccountOf(erin)
  await parley.sweep()
  expect(await pollOf(alice, id)).toMatchObject({ voter_count: 1, counts: [0, 1, 0] })
  expect(await pollOf(alice, secret)).toMatchObject({ voter_count: 1 })
  expect(await sql`select 1 from poll_votes where user_id = ${erin.id}`).toHaveLength(0)
  const [row] = await sql`select counts from polls where message_id = ${secret}`
  expect(row?.counts).toEqual([1, 0, 0])
})

test('a poll is found by question and answers, forwarded as text, and stays with an edit', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = (await begin(alice, channel_id, { question: 'Kookaburra or quokka?' })).body
  await until(async () => {
    await parley.sweep()
    const { body } = await bob.get(`/api/search?q=kookaburra&channel_id=${channel_id}`)
    return (
      body.messages.length === 1 &&
      (await bob.get(`/api/search?q=saturday&channel_id=${channel_id}`)).body.messages.length === 1
    )
  })
  const forwarded = await bob.post(`/api/channels/${channel_id}/messages`, { forward_message_id: id })
  expect(forwarded.body.forwarded.content).toBe('Kookaburra or quokka?\nSaturday\n☀️ Sunday\nNever')
  expect(forwarded.body.poll).toBeUndefined()
  const edited = await alice.put(`/api/messages/${id}`, { content: 'Please vote' })
  expect(edited.body).toMatchObject({ content: 'Please vote', poll: { question: 'Kookaburra or quokka?' } })
  expect((await alice.put(`/api/messages/${id}`, { content: '' })).status).toBe(200)
})

test('a repeated request with its nonce sends one poll, and another poll with it is refused', async () => {
  const { channel_id } = await place(alice)
  const send = (poll: object) => alice.post(`/api/channels/${channel_id}/messages`, { poll, nonce: 'n-1' })
  const [one, two] = [await send(DAY), await send(DAY)]
  expect([one.status, two.status, two.body.id]).toEqual([201, 200, one.body.id])
  expect(two.body.poll.mine).toEqual({ voted: false, answer_ids: [] })
  expect((await send({ ...DAY, anonymous: true })).body.code).toBe('nonce_conflict')
})

test('in a group everybody votes, and who left sees no poll any more', async () => {
  const [dora, emil, finn] = await passersBy(parley, 'dora', 'emil', 'finn')
  const id = await group(dora, emil, finn)
  const poll = (await begin(dora, id)).body.id
  expect((await vote(emil, poll, 1)).status).toBe(204)
  expect((await finn.delete(`/api/channels/${id}/recipients/${finn.id}`)).status).toBe(204)
  expect((await vote(finn, poll, 1)).status).toBe(404)
})

test('votes of racing people over two processes add up, whatever they change', async () => {
  const own = await boot()
  const sibling = await boot({}, own)
  const crowd = await passersBy(own, ...Array.from({ length: 8 }, (_, n) => `voter${n}`))
  const [first] = crowd as [Person]
  const { channel_id } = await place(...(crowd as [Person, ...Person[]]))
  const ballots = fc.array(
    fc.record({ who: fc.nat(crowd.length - 1), answers: fc.uniqueArray(fc.integer({ min: 1, max: 3 })) }),
    { minLength: 10, maxLength: 40 },
  )
  const kinds = fc.record({ multiple: fc.boolean(), anonymous: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(ballots, kinds, async (cast, kind) => {
      const { id } = (await begin(first, channel_id, kind)).body
      const answered = await Promise.all(
        cast.map(async ({ who, answers }, at) => {
          const voter = crowd[who] as Person
          const path = `/api/messages/${id}/poll/votes`
          const node = at % 2 === 0 ? own : sibling
          const { status } = await call(node, 'PUT', path, { token: voter.token, body: { answer_ids: answers } })
          return { who, answers, status }
        }),
      )
      const { counts, voter_count } = (
        await own.parts.sql<{ counts: number[]; voter_count: number }[]>`
          select counts, voter_count from polls where message_id = ${id}`
      )[0]!
      const rows = await own.parts.sql<{ answer_id: number; user_id: number }[]>`
        select answer_id, user_id from poll_votes where message_id = ${id}`
      expect(voter_count).toBe(new Set(rows.map(({ user_id }) => user_id)).size)
      const accepted = answered.filter(({ status }) => status === 204)
      if (kind.anonymous) {
        // Each voted once, and each vote counts.
        expect(accepted).toHaveLength(voter_count)
        const expected = [1, 2, 3].map((answer) => accepted.filter(({ answers }) => answers.includes(answer)).length)
        expect(counts).toEqual(expected)
      } else {
        expect(counts).toEqual([1, 2, 3].map((answer) => rows.filter(({ answer_id }) => answer_id === answer).length))
        // Each person's votes are those of one of their accepted requests.
        for (const who of new Set(accepted.map((one) => one.who))) {
          const remainingIds = rows
            .filter(({ user_id }) => user_id === crowd[who]?.id)
            .map(({ answer_id }) => answer_id)
          const tries = accepted.filter((one) => one.who === who).map(({ answers }) => answers.toSorted().join())
          expect(tries).toContain(remainingIds.toSorted().join())
        }
      }
    }),
    { numRuns: 12 },
  )
  await Promise.all([stop(sibling), stop(own)])
})
