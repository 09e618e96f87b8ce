import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, type Person, newServer, say, standard, stop } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'

const parley = await standard()
const inbox = async (who: Person, query = ''): Promise<number[]> =>
  (await who.get(`/api/mentions${query}`)).body.map((message: { id: number }) => message.id)

test('the inbox holds mentions by name, in a reply, by a role, and of everyone or here, newest first', async () => {
  const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  await befriend(alice, bob)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)
  const own = await say(bob, channel_id, `<@${bob.id}> is who I am`)
  const named = await say(alice, channel_id, `<@${bob.id}> <@&${role}> @everyone`)
  const reply = (await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Yes', reply_to_id: own.id })).body
  const byRole = await say(alice, channel_id, `<@&${role}>`)
  const here = await say(alice, channel_id, '@here')
  const direct = await write(alice, bob, `<@${bob.id}>`)
  await say(alice, channel_id, `<@${carol.id}>`)
  const all = [direct.id, here.id, byRole.id, reply.id, named.id]
  expect(await inbox(bob)).toEqual(all)
  expect(await inbox(bob, '?limit=2')).toEqual(all.slice(0, 2))
  expect(await inbox(bob, `?limit=2&before=${here.id}`)).toEqual(all.slice(2, 4))
  const page = await bob.get('/api/mentions?limit=2')
  expect(page.headers.get('link')).toContain(`before=${here.id}`)
  expect(page.body[0]).toEqual((await bob.get(`/api/messages/${direct.id}`)).body)
  await bob.put(`/api/messages/${here.id}/reactions/${encodeURIComponent('🐦')}/@me`)
  const [, reacted] = (await bob.get('/api/mentions?limit=2')).body
  expect(reacted).toEqual((await bob.get(`/api/messages/${here.id}`)).body)
  expect(reacted.reactions).toEqual([expect.objectContaining({ me: true })])
  await alice.put(`/api/messages/${here.id}`, { content: 'No more' })
  await alice.delete(`/api/messages/${named.id}`)
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)
  expect(await inbox(bob)).toEqual([direct.id, reply.id])
  await bob.post(`/api/friends/${alice.id}/block`)
  expect(await inbox(bob)).toEqual([])
})

test('the inbox shows nothing of channels with unreadable history, nor of a server after leaving it', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, `<@${bob.id}>`)
  await say(alice, channel_id, '@everyone')
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
  expect(await inbox(bob)).toHaveLength(2)
  for (const bit of ['read_history', 'view_channel'] as const) {
    await alice.put(path, { deny: permissions(bit) })
    expect(await inbox(bob)).toEqual([])
  }
  await alice.delete(path)
  expect(await inbox(bob)).toContain(id)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  expect(await inbox(bob)).toEqual([])
})

test('older messages come later, whatever their ids, as in imported servers', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { sql } = parley.parts
  const { channel_id: first } = await newServer(alice, bob)
  const { channel_id: second } = await newServer(alice, bob)
  const newer = [await say(alice, first, `<@${bob.id}> newest`), await say(alice, first, '@everyone newer')]
  const older = [
    await say(alice, second, `<@${bob.id}> 1`),
    await say(alice, second, '@everyone 2'),
    await say(alice, second, `<@${bob.id}> 3`),
  ]
  await sql`update messages set created_at = created_at - interval '3 years' where channel_id = ${second}`
  const all = [...newer.toReversed(), ...older.toReversed()].map(({ id }) => id)
  expect(await inbox(bob)).toEqual(all)
  for (const limit of [1, 2, 3]) {
    const seen: number[] = []
    for (let before = ''; seen.length < all.length; before = `&before=${seen.at(-1)}`)
      seen.push(...(await inbox(bob, `?limit=${limit}${before}`)))
    expect(seen).toEqual(all)
  }
  // The page continues from the position of a deleted message.
  await alice.delete(`/api/messages/${older[1]?.id}`)
  expect(await inbox(bob, `?before=${older[1]?.id}`)).toEqual([older[0]?.id as number])
  await sql`update messages set created_at = now() where channel_id = ${second}`
  expect((await inbox(bob)).slice(0, 2)).toEqual([older[2]?.id, older[0]?.id] as number[])
})

test('the mentions of a message follow its text, and go with it', async () => {
  const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
  const { channel_id } = await newServer(alice, bob, carol)
  const { sql } = parley.parts
  const rows = async (id: number) =>
    (await sql<{ user_id: number }[]>`select user_id from mentions where message_id = ${id} order by user_id`).map(
      (row) => row.user_id,
    )
  const { id } = await say(alice, channel_id, `<@${bob.id}> <@${alice.id}>`)
  expect(await rows(id)).toEqual([bob.id])
  await alice.put(`/api/messages/${id}`, { content: `<@${carol.id}> <@${bob.id}>` })
  expect(await rows(id)).toEqual([bob.id, carol.id].toSorted((a, b) => a - b))
  await alice.put(`/api/messages/${id}`, { content: `<@${carol.id}>` })
  expect(await rows(id)).toEqual([carol.id])
  await alice.delete(`/api/messages/${id}`)
  expect(await rows(id)).toEqual([])
})

test('an account opens the inbox twenty times at once, then once a second', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const [eve, fay] = (await passersBy(strict, 'eve', 'fay')) as [Person, Person]
  const many = await Promise.all(Array.from({ length: 30 }, () => eve.get('/api/mentions')))
  expect(many.filter(({ status }) => status === 200).length).toBeWithin(20, 26)
  expect(many.find(({ status }) => status !== 200)?.body.code).toBe('rate_limited')
  expect((await fay.get('/api/mentions')).status).toBe(200)
  await stop(strict)
})
