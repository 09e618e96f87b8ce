import { expect, test } from 'bun:test'
import { PublicPages } from '../../../src/features/public-pages/page-cache.ts'
import { begun } from '../../support/forums.ts'
import { boot, type Person, say } from '../../support/harness.ts'
import { passerBy } from '../../support/places.ts'
import { publicPlace } from '../../support/public-pages.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
const { sql } = parley.parts
const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => passerBy(parley, name)))) as [Person, Person]
await sql`update users set public_name = true where id in (${alice.id}, ${bob.id})`

const status = async (path: string) => (await fetch(parley.url + path)).status
const read = async (path: string) => (await fetch(parley.url + path)).text()

test('messages in private channels and their threads build no page again: nobody counts them by waiting', async () => {
  const { server_id, channel_id, open_id, forum_id } = await publicPlace(alice, bob)
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Among us' })).body
  await say(alice, open_id, 'A heron')
  const pages = new PublicPages(sql, 8)
  let builds = 0
  const body = async (channel: number) => {
    const address = { server_id, channel_id: channel, form: 'html' as const }
    const page = await pages.page(address, {}, parley.url, async () => void builds++)
    return new TextDecoder().decode(page?.body)
  }
  expect(await body(open_id)).toContain('A heron')
  await body(forum_id)
  builds = 0
  for (let round = 0; round < 3; round++) {
    const secret = await say(bob, channel_id, `Secret ${round}`)
    await bob.put(`/api/messages/${secret.id}`, { content: 'Another secret' })
    await bob.put(`/api/messages/${secret.id}/reactions/${encodeURIComponent('🦉')}/@me`)
    await say(bob, thread.id, 'A secret in a thread')
    await bob.delete(`/api/messages/${secret.id}`)
    await body(open_id)
    await body(forum_id)
  }
  expect(builds).toBe(0)
  // Public news is seen at once, also after private news.
  const gull = await say(alice, open_id, 'A gull')
  await say(bob, channel_id, 'A secret')
  expect(await body(open_id)).toContain('A gull')
  expect(builds).toBe(1)
  await say(bob, channel_id, 'A secret')
  await body(open_id)
  await alice.delete(`/api/messages/${gull.id}`)
  await say(bob, channel_id, 'A secret')
  expect(await body(open_id)).not.toContain('A gull')
  const post = await begun(alice, forum_id, 'Plover')
  expect(await body(forum_id)).toContain('Plover')
  await alice.put(`/api/channels/${post.id}`, { hidden: true })
  expect(await body(forum_id)).not.toContain('Plover')
  await alice.put(`/api/channels/${open_id}`, { public: false })
  await say(alice, open_id, 'Now a secret')
  expect(await body(open_id)).toBe('')
})

test('an answer in a post that is not public is public nowhere: neither by its picture nor by a forward', async () => {
  const { server_id, open_id, forum_id } = await publicPlace(alice, bob)
  const fresh = await passerBy(parley, 'fresh')
  await sql`insert into members ${sql({ server_id, user_id: fresh.id })}`
  const post = await begun(fresh, forum_id, 'A question of a new member')
  const file = await upload(bob, 'owl.png', 'image/png', await png(40, 30))
  const answer = await bob.post(`/api/channels/${post.id}/messages`, { content: 'An eagle owl', file_ids: [file.id] })
  await alice.put(`/api/channels/${post.id}`, { answer_message_id: answer.body.id })
  const forward = { content: 'Look', forward_message_id: answer.body.id }
  expect((await bob.post(`/api/channels/${open_id}/messages`, forward)).status).toBe(201)
  const texts = await Promise.all(['', '.json', '/feed.atom'].map((end) => read(`/p/${server_id}/${open_id}${end}`)))
  expect(texts.map((text) => [text.includes('Look'), text.includes('eagle')])).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ])
  expect(await status(`/p/${server_id}/${forum_id}/${post.id}`)).toBe(404)
  expect(await status(`/p/pictures/${file.id}`)).toBe(404)
  // The same answer in a post that everybody reads.
  const open = await begun(alice, forum_id, 'A question')
  const other = await upload(bob, 'owl.png', 'image/png', await png(40, 30))
  await bob.post(`/api/channels/${open.id}/messages`, { content: 'A tawny owl', file_ids: [other.id] })
  expect(await status(`/p/pictures/${other.id}`)).toBe(200)
  // Its first message goes, and with it the page: so does the picture.
  await alice.delete(`/api/messages/${open.first_message_id}`)
  expect(await status(`/p/${server_id}/${forum_id}/${open.id}`)).toBe(404)
  expect(await status(`/p/pictures/${other.id}`)).toBe(404)
})

test('an answer from after the switch in a post or thread from before it is not public', async () => {
  const { open_id, forum_id } = await publicPlace(alice, bob)
  const post = await begun(alice, forum_id, 'Before')
  const thread = (await alice.post(`/api/channels/${open_id}/threads`, { name: 'Before too' })).body
  await sql`update messages set created_at = created_at - interval '2 days' where id = ${post.first_message_id}`
  await sql`update channels set created_at = created_at - interval '2 days' where id in (${post.id}, ${thread.id})`
  const files = []
  for (const id of [post.id, thread.id]) {
    const file = await upload(bob, 'owl.png', 'image/png', await png(40, 30))
    await bob.post(`/api/channels/${id}/messages`, { content: 'After', file_ids: [file.id] })
    files.push(`/p/pictures/${file.id}`)
  }
  expect(await Promise.all(files.map(status))).toEqual([404, 404])
  for (const id of [forum_id, open_id])
    expect((await alice.put(`/api/channels/${id}`, { public_older: true })).status).toBe(200)
  expect(await Promise.all(files.map(status))).toEqual([200, 200])
})
