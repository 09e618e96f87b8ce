import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** A thread of Alice's, and a mentionable role, which Bob and Carol have. */
async function scene() {
  const [alice, bob, carol, dave] = (await passersBy(parley, 'alice', 'bob', 'carol', 'dave')) as Person[]
  const all = [alice, bob, carol, dave] as [Person, Person, Person, Person]
  const { server_id, channel_id } = await newServer(...all)
  const role = (await all[0].post(`/api/servers/${server_id}/roles`, { name: 'Mods', mentionable: true })).body.id
  const give = (who: Person) => all[0].post(`/api/servers/${server_id}/members/${who.id}/roles/${role}`)
  for (const who of [all[1], all[2]]) await give(who)
  const thread: number = (await all[0].post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body.id
  return { all, server_id, channel_id, role, thread }
}
const unreadIn = async (who: Person, thread: number) => (await who.get(`/api/unread?channel_ids=${thread}`)).body[0]
const inbox = async (who: Person) => (await who.get('/api/mentions')).body.map((each: { id: number }) => each.id)
const followers = async (thread: number) =>
  (await sql`select user_id from thread_followers where channel_id = ${thread} order by user_id`).map(
    (row) => row.user_id,
  )

test('the holders of a role mentioned in a thread follow it: inbox, count and event', async () => {
  const { all, channel_id, role, thread } = await scene()
  const [alice, bob, carol, dave] = all
  await say(alice, thread, 'Before')
  const live = await connect(bob)
  const message = await say(alice, thread, `<@&${role}> come and see`)
  expect(message.mention_role_ids).toEqual([role])
  expect(await followers(thread)).toEqual([alice.id, bob.id, carol.id].toSorted((one, other) => one - other))
  expect(await inbox(bob)).toEqual([message.id])
  expect(await unreadIn(bob, thread)).toMatchObject({ newest_id: message.id, mention_count: 1 })
  expect((await bob.get(`/api/channels/${channel_id}/threads?followed=true`)).body).toHaveLength(1)
  await live.next('thread.followed', ({ d }) => d.channel_id === thread && d.following)
  expect(await inbox(dave)).toEqual([])
  // A follower gets only the message events of later mentions, as for a mention by name.
  await say(alice, thread, `<@&${role}> again`)
  expect((await unreadIn(bob, thread)).mention_count).toBe(2)
  await live.settled()
  expect(live.of('thread.followed')).toHaveLength(1)
  live.close()
})

test('everyone and here notify only followers of a thread', async () => {
  const { all, thread } = await scene()
  const [alice, bob] = all
  await say(alice, thread, '@everyone and @here')
  expect(await followers(thread)).toEqual([alice.id])
  expect(await inbox(bob)).toEqual([])
})

test('a member who does not see the channel does not follow its thread by a role', async () => {
  const { all, server_id, channel_id, role, thread } = await scene()
  const [alice, bob, carol] = all
  const hidden = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Hidden from' })).body.id
  await alice.post(`/api/servers/${server_id}/members/${carol.id}/roles/${hidden}`)
  await alice.put(`/api/channels/${channel_id}/permissions/${hidden}`, { deny: permissions('view_channel') })
  await say(alice, thread, `<@&${role}>`)
  expect(await followers(thread)).toEqual([alice.id, bob.id].toSorted((one, other) => one - other))
})

test('an edit that adds a role to a message of a thread makes its holders follow it, with an event', async () => {
  const { all, role, thread } = await scene()
  const [alice, bob] = all
  const message = await say(alice, thread, 'Look')
  const live = await connect(bob)
  const edit = (content: string) => alice.put(`/api/messages/${message.id}`, { content })
  expect((await edit(`<@&${role}> look`)).status).toBe(200)
  await live.next('thread.followed', ({ d }) => d.channel_id === thread && d.following)
  expect(await unreadIn(bob, thread)).toMatchObject({ newest_id: message.id, mention_count: 1 })
  expect(await inbox(bob)).toEqual([message.id])
  // A role that the message already mentioned makes nobody follow again.
  await bob.delete(`/api/channels/${thread}/followers/@me`)
  await edit(`<@&${role}> look there`)
  expect(await followers(thread)).not.toContain(bob.id)
  live.close()
})

test('a role of more than 100 holders makes nobody a follower, one of 100 makes all of them', async () => {
  const { all, server_id, role, thread } = await scene()
  const [alice, bob] = all
  // Two already have it.
  await sql`with crowd as (
      insert into users (username, email, password_hash, display_name)
      select name, name || '@example.org', 'none', 'Crowd'
      from (select 'crowd-' || gen_random_uuid() as name from generate_series(1, 99)) named returning id
    ), joined as (insert into members (server_id, user_id) select ${server_id}, id from crowd returning user_id)
    insert into member_roles (server_id, user_id, role_id) select ${server_id}, user_id, ${role} from joined`
  await say(alice, thread, `<@&${role}>`)
  expect(await followers(thread)).toEqual([alice.id])
  await alice.delete(`/api/servers/${server_id}/members/${all[2].id}/roles/${role}`)
  const message = await say(alice, thread, `<@&${role}>`)
  expect(await followers(thread)).toHaveLength(101)
  expect(await unreadIn(bob, thread)).toMatchObject({ newest_id: message.id, mention_count: 1 })
})

test('a member who stops following at once gets no later event of following', async () => {
  const { all, role, thread } = await scene()
  const [alice, bob] = all
  const live = await connect(bob)
  await say(alice, thread, `<@&${role}>`)
  await bob.delete(`/api/channels/${thread}/followers/@me`)
  await live.next('thread.followed', ({ d }) => d.channel_id === thread && !d.following)
  await say(alice, thread, 'Later')
  await live.next('thread.updated', ({ d }) => d.id === thread && d.message_count === 2)
  await live.settled()
  expect(live.of('thread.followed').at(-1)?.d.following).toBe(false)
  live.close()
})
