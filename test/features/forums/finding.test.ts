import { expect, test } from 'bun:test'
import { SearchIndexer } from '../../../src/features/search/indexer.ts'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { boot, type Person, say, standard, until } from '../../support/harness.ts'
import { begun, forumOf, listed, post } from '../../support/forums.ts'
import { passerBy } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => passerBy(parley, name)))) as [Person, Person]

const TAGS = [
  { name: 'Question', emoji: '❓' },
  { name: 'Solved', moderated: true },
]

test('words find posts by their names and first messages, not by answers, and no hidden ones', async () => {
  const { forum, channel_id } = await forumOf(alice, [bob], { tags: TAGS })
  const [question] = forum.tags.map(({ id }: { id: number }) => id)
  const owl = await begun(bob, forum.id, 'Tawny owl', 'Near the church', { tag_ids: [question] })
  const duck = await begun(bob, forum.id, 'Mallard', 'Not an owl')
  await say(bob, duck.id, 'A heron and a church')
  await say(bob, channel_id, 'An owl elsewhere')
  const indexer = new SearchIndexer(parley.parts)
  /** Waits until a search finds these posts: the index waits for every transaction that is older than a message. */
  const finds = (query: string, names: string[]) =>
    until(async () => {
      await indexer.run()
      return Bun.deepEquals(await listed(alice, forum.id, query), names)
    })
  await finds('q=owl', ['Mallard', 'Tawny owl'])
  await finds('q=church', ['Tawny owl'])
  await finds('q=chur', ['Tawny owl'])
  await finds('q=heron', [])
  await finds(`q=owl&tag=${question}`, ['Tawny owl'])
  await bob.put(`/api/channels/${owl.id}`, { name: 'Barn bird' })
  const keeper = new ThreadKeeper(parley.parts)
  // A post that has just been published is published again a second later.
  await until(async () => {
    await Promise.all([keeper.run(), indexer.run()])
    return (await listed(alice, forum.id, 'q=barn')).includes('Barn bird')
  })
  await alice.put(`/api/channels/${duck.id}`, { hidden: true })
  expect(await listed(bob, forum.id, 'q=mallard')).toEqual([])
  const { messages } = (await bob.get(`/api/search?q=heron&channel_id=${forum.id}`)).body
  expect(messages).toEqual([])
  keeper.stop()
  indexer.stop()
})

test('the level all_posts announces each first message of a forum, without following the post', async () => {
  const { forum, channel_id } = await forumOf(alice, [bob])
  const level = (id: number, name: string) => bob.put(`/api/notifications/channels/${id}`, { level: name })
  expect((await level(channel_id, 'all_posts')).status).toBe(422)
  expect((await level(forum.id, 'all_posts')).status).toBe(200)
  const noticeOf = async (id: number) => {
    const [row] = await sql`select is_unread, message_id from notice_in(${bob.id}, ${id}, 0, false)`
    return row
  }
  const news = await begun(alice, forum.id, 'News')
  expect(await noticeOf(news.id)).toEqual({ is_unread: true, message_id: news.first_message_id })
  await say(alice, news.id, 'More of it')
  expect(await noticeOf(news.id)).toEqual({ is_unread: true, message_id: news.first_message_id })
  expect(await noticeOf((await begun(bob, forum.id, 'My own')).id)).toEqual({ is_unread: false, message_id: null })
  await bob.put(`/api/notifications/channels/${forum.id}`, { muted_until: '9999-12-31T00:00:00.000Z' })
  expect((await noticeOf(news.id))?.message_id).toBeNull()
})

test('AutoMod judges the name and the first message of a post, and nothing of a blocked one stays', async () => {
  const { forum, server_id } = await forumOf(alice, [bob])
  const rule = {
    name: 'No spam',
    trigger: { type: 'words', words: ['kingfisher'], allow: [] },
    actions: [{ type: 'block', message: null }],
  }
  expect((await alice.post(`/api/servers/${server_id}/automod`, rule)).status).toBe(201)
  expect((await post(bob, forum.id, 'A kingfisher', 'x')).body.code).toBe('automod_blocked')
  expect((await post(bob, forum.id, 'x', 'A kingfisher')).body.code).toBe('automod_blocked')
  const poll = { question: 'Which?', answers: [{ text: 'A gull' }, { text: 'A kingfisher' }] }
  expect((await post(bob, forum.id, 'x', 'x', { message: { content: 'x', poll } })).body.code).toBe('automod_blocked')
  const plain = await begun(bob, forum.id, 'A heron')
  expect((await bob.put(`/api/channels/${plain.id}`, { name: 'A kingfisher' })).body.code).toBe('automod_blocked')
  expect(await listed(alice, forum.id)).toEqual(['A heron'])
})

test('a person begins at most five posts an hour; what is refused for its form does not count', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' })
  const owner = await passerBy(limited, 'owner')
  const { forum } = await forumOf(owner, [])
  for (let at = 0; at < 3; at++) expect((await post(owner, forum.id, 'x', '')).status).toBe(422)
  for (let at = 0; at < 5; at++) await begun(owner, forum.id, `Post ${at}`)
  const { status, body } = await post(owner, forum.id, 'One too many')
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(body.retry_after).toBeGreaterThan(60)
})
