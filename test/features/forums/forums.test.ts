import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { begun, forumOf, listed, post } from '../../support/forums.ts'
import { passerBy, rank } from '../../support/places.ts'
import { connect, type Gateway } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, mallory] = (await Promise.all(
  ['alice', 'bob', 'carol', 'mallory'].map((name) => passerBy(parley, name)),
)) as [Person, Person, Person, Person]

const TAGS = [
  { name: 'Question', emoji: '❓' },
  { name: 'Solved', moderated: true },
]

test('a forum has its fields, and other channels have none of them', async () => {
  const { server_id, forum, channel_id } = await forumOf(alice, [bob], { tags: TAGS, layout: 'gallery' })
  expect(forum).toMatchObject({
    type: 'forum',
    tags: [
      { name: 'Question', emoji: '❓', moderated: false },
      { name: 'Solved', emoji: null, moderated: true },
    ],
    tag_required: false,
    guidelines: '',
    default_sort: 'latest',
    layout: 'gallery',
    default_reaction: null,
    post_slowmode_seconds: 0,
    archive_after_seconds: 259_200,
  })
  expect('tag_ids' in forum).toBe(false)
  const text = (await alice.get(`/api/channels/${channel_id}`)).body
  expect(Object.keys(text).filter((name) => name in forum)).not.toContain('tags')
  const list = (await bob.get(`/api/servers/${server_id}/channels`)).body
  expect(list.find((each: any) => each.id === forum.id)).toEqual(forum)
  const [question, solved] = forum.tags
  const put = (body: object) => alice.put(`/api/channels/${forum.id}`, body)
  const renamed = await put({ tags: [{ ...solved, name: 'Done' }, { name: 'Idea' }], tag_required: true })
  expect(renamed.body.tags).toMatchObject([
    { id: solved.id, name: 'Done' },
    { name: 'Idea', moderated: false },
  ])
  expect((await put({ tags: [question] })).status).toBe(422)
  expect((await put({ tags: Array.from({ length: 21 }, (_, at) => ({ name: `t${at}` })) })).status).toBe(422)
  expect((await put({ pinned: true })).status).toBe(422)
  expect((await alice.put(`/api/channels/${channel_id}`, { tags: [] })).status).toBe(422)
  expect((await bob.put(`/api/channels/${forum.id}`, { guidelines: 'x' })).status).toBe(403)
  const refused = await alice.post(`/api/servers/${server_id}/channels`, { name: 'x', type: 'text', tags: [] })
  expect(refused.status).toBe(422)
})

test('a post comes with its first message, and nobody writes in the forum itself', async () => {
  const { forum } = await forumOf(alice, [bob], { tags: TAGS, post_slowmode_seconds: 7 })
  const live = await connect(alice)
  const begunPost = await begun(bob, forum.id, 'Owls at night', 'Which one calls so?', { tag_ids: [forum.tags[0].id] })
  expect(begunPost).toMatchObject({
    type: 'thread',
    parent_id: forum.id,
    owner_id: bob.id,
    message_id: null,
    message_count: 1,
    tag_ids: [forum.tags[0].id],
    answer_message_id: null,
    pinned: false,
    votes: 0,
    hidden: false,
    slowmode_seconds: 7,
  })
  expect(begunPost.first_message_id).toBe(begunPost.last_message_id)
  expect((await live.next('thread.created')).d).toEqual(begunPost)
  expect((await live.next('message.created')).d).toMatchObject({
    channel_id: begunPost.id,
    content: 'Which one calls so?',
  })
  expect((await alice.post(`/api/channels/${forum.id}/messages`, { content: 'x' })).body.code).toBe('forbidden')
  expect((await live.command('typing.start', { channel_id: forum.id })).error.code).toBe('forbidden')
  await say(alice, begunPost.id, 'A tawny owl')
  const [first] = (await bob.get(`/api/channels/${forum.id}/threads`)).body
  expect(first).toMatchObject({ id: begunPost.id, message_count: 2 })
  expect(first.first_message).toMatchObject({ author: { id: bob.id }, content: 'Which one calls so?', picture: null })
  live.close()
})

test('a post needs create_threads, an answer send_in_threads', async () => {
  const { forum, everyone } = await forumOf(alice, [bob])
  const overwrite = (deny: number) => alice.put(`/api/channels/${forum.id}/permissions/${everyone}`, { allow: 0, deny })
  await overwrite(permissions('send_in_threads'))
  const begunPost = await begun(bob, forum.id, 'Still')
  expect((await bob.post(`/api/channels/${begunPost.id}/messages`, { content: 'x' })).status).toBe(403)
  await overwrite(permissions('create_threads'))
  expect((await post(bob, forum.id, 'No more')).body.code).toBe('missing_permission')
  await say(bob, begunPost.id, 'But an answer')
  await overwrite(permissions('view_channel'))
  expect((await post(bob, forum.id, 'Unseen')).status).toBe(404)
  expect((await bob.get(`/api/channels/${forum.id}/threads`)).status).toBe(404)
  await overwrite(permissions('read_history'))
  expect((await bob.get(`/api/channels/${forum.id}/threads`)).status).toBe(403)
  expect((await post(mallory, forum.id, 'Stranger')).status).toBe(404)
})

test('a repeated request with the nonce of a forum answers the same post', async () => {
  const { forum, server_id } = await forumOf(alice, [bob])
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'forum' })).body
  const body = { name: 'Once', message: { content: 'Only once', nonce: 'n1' } }
  const send = (id: number, more: object = {}) => bob.post(`/api/channels/${id}/threads`, { ...body, ...more })
  const both = await Promise.all([send(forum.id), send(forum.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201])
  expect(both[0].body).toEqual(both[1].body)
  expect((await send(forum.id, { name: 'Twice' })).body.code).toBe('nonce_conflict')
  expect((await send(other.id)).status).toBe(201)
  expect(await listed(alice, forum.id)).toEqual(['Once'])
})

test('a post with impossible fields is refused and leaves nothing', async () => {
  const { forum, channel_id } = await forumOf(alice, [bob], { tags: TAGS, tag_required: true })
  const [question, solved] = forum.tags.map(({ id }: { id: number }) => id)
  const message = { content: 'x' }
  const refusals: [object, string][] = [
    [{ name: 'x' }, 'body.message'],
    [{ name: 'x', message }, 'body.tag_ids'],
    [{ name: 'x', message, tag_ids: [1] }, 'body.tag_ids'],
    [{ name: 'x', message: { content: 'x', reply_to_id: 1 }, tag_ids: [question] }, 'body.message.reply_to_id'],
    [{ name: 'x', message: { content: '', file_ids: [1] }, tag_ids: [question] }, 'body.file_ids'],
    [{ name: 'x', message, message_id: 1, tag_ids: [question] }, 'body.message_id'],
  ]
  for (const [body, path] of refusals) {
    const answer = await bob.post(`/api/channels/${forum.id}/threads`, body)
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, path])
  }
  expect((await post(bob, forum.id, 'x', 'x', { tag_ids: [solved] })).body.code).toBe('missing_permission')
  expect((await post(bob, channel_id, 'x')).status).toBe(422)
  expect(await listed(alice, forum.id)).toEqual([])
  expect((await sql`select 1 from channels where parent_id = ${forum.id}`).length).toBe(0)
})

test('the author of a post tags it and chooses the answer; only a thread manager pins and hides', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol], { tags: TAGS })
  const [question, solved] = forum.tags.map(({ id }: { id: number }) => id)
  await rank(parley, server_id, permissions('manage_threads'), carol)
  const begunPost = await begun(bob, forum.id, 'Which owl?')
  const answer = await say(alice, begunPost.id, 'A tawny owl')
  const elsewhere = await begun(alice, forum.id, 'Elsewhere')
  const put = async (who: Person, body: object, id = begunPost.id) =>
    (await who.put(`/api/channels/${id}`, body)).status
  expect(await put(bob, { tag_ids: [question], answer_message_id: answer.id })).toBe(200)
  expect(await put(bob, { tag_ids: [question, solved] })).toBe(403)
  expect(await put(bob, { answer_message_id: elsewhere.first_message_id })).toBe(422)
  for (const body of [{ pinned: true }, { hidden: true }, { locked: true }]) expect(await put(bob, body)).toBe(403)
  expect(await put(alice, { answer_message_id: null }, elsewhere.id)).toBe(200)
  expect(await put(carol, { tag_ids: [solved], pinned: true })).toBe(200)
  expect(await put(bob, { tag_ids: [] })).toBe(403)
  expect(await put(bob, { answer_message_id: null }, elsewhere.id)).toBe(403)
  expect(await listed(bob, forum.id)).toEqual(['Which owl?', 'Elsewhere'])
  expect(await listed(bob, forum.id, 'answered=true')).toEqual(['Which owl?'])
  expect(await listed(bob, forum.id, 'answered=false')).toEqual(['Elsewhere'])
  expect(await listed(bob, forum.id, `tag=${solved}`)).toEqual(['Which owl?'])
  await alice.delete(`/api/messages/${answer.id}`)
  expect((await bob.get(`/api/channels/${begunPost.id}`)).body.answer_message_id).toBeNull()
  expect(await put(carol, { hidden: true })).toBe(200)
  expect(await listed(bob, forum.id)).toEqual(['Elsewhere'])
  expect((await bob.get(`/api/channels/${begunPost.id}`)).status).toBe(404)
  expect(await listed(carol, forum.id)).toContain('Which owl?')
})

test('a forum has at most five pinned posts, however many pin at once', async () => {
  const { forum } = await forumOf(alice, [])
  const posts = await Promise.all(Array.from({ length: 7 }, (_, at) => begun(alice, forum.id, `Post ${at}`)))
  const answers = await Promise.all(posts.map(({ id }) => alice.put(`/api/channels/${id}`, { pinned: true })))
  expect(answers.filter(({ status }) => status === 200).length).toBe(5)
  expect(answers.filter(({ body }) => body.code === 'too_many_pins').length).toBe(2)
})

test('votes count the people who gave the first message the default reaction', async () => {
  const { forum } = await forumOf(alice, [bob, carol], { default_reaction: '👍' })
  const first = await begun(alice, forum.id, 'First')
  const second = await begun(alice, forum.id, 'Second')
  const react = (who: Person, id: number, emoji: string) =>
    who.put(`/api/messages/${id}/reactions/${encodeURIComponent(emoji)}/@me`)
  const votes = async ({ id }: { id: number }) => (await alice.get(`/api/channels/${id}`)).body.votes
  await Promise.all([react(bob, first.first_message_id, '👍'), react(carol, first.first_message_id, '👍')])
  await react(carol, first.first_message_id, '🎉')
  await react(bob, (await say(bob, second.id, 'An answer')).id, '👍')
  expect([await votes(first), await votes(second)]).toEqual([2, 0])
  expect(await listed(bob, forum.id, 'sort=votes')).toEqual(['First', 'Second'])
  await bob.delete(`/api/messages/${first.first_message_id}/reactions/${encodeURIComponent('👍')}/@me`)
  expect(await votes(first)).toBe(1)
  await react(bob, first.first_message_id, '🎉')
  await alice.put(`/api/channels/${forum.id}`, { default_reaction: '🎉' })
  expect(await votes(first)).toBe(2)
  await alice.delete(`/api/messages/${first.first_message_id}/reactions`)
  expect(await votes(first)).toBe(0)
})

test('pages follow each other in every order, without a post twice or missing', async () => {
  const { forum } = await forumOf(alice, [bob])
  const names = Array.from({ length: 60 }, (_, at) => `Post ${at}`)
  for (const name of names) await begun(alice, forum.id, name)
  await sql`update channels set archived_at = now() where parent_id = ${forum.id} and id % 3 = 0`
  await sql`update channels set active_at = now() - (id % 7) * interval '1 minute' where parent_id = ${forum.id}`
  await sql`update channels set votes = id % 5 where parent_id = ${forum.id}`
  await sql`update channels set pinned = true where id = (select min(id) from channels where parent_id = ${forum.id})`
  for (const sort of ['latest', 'created', 'votes']) {
    const seen: string[] = []
    let path: string | undefined = `/api/channels/${forum.id}/threads?sort=${sort}`
    while (path) {
      const { body, headers }: any = await bob.get(path)
      expect(body.length).toBeLessThanOrEqual(26)
      seen.push(...body.map(({ name }: { name: string }) => name))
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen[0]).toBe('Post 0')
    expect(seen.toSorted()).toEqual(names.toSorted())
  }
  expect((await listed(bob, forum.id, 'archived=true')).length).toBe(20)
})

test('a forum archives its quietest posts beyond 1,000, and only its own unpinned ones', async () => {
  const { forum, channel_id, server_id } = await forumOf(alice, [])
  const many = (parent: number, count: number, isPost: boolean) => sql`
    insert into channels (server_id, parent_id, name, type, position, owner_id, active_at, archive_after_seconds,
      tag_ids, pinned, votes, hidden)
    select ${server_id}, ${parent}, 'p' || n, 'thread', 0, ${alice.id}, now() - (n + 1) * interval '1 second', 3600,
      ${isPost ? sql`'{}', n = ${count}, 0, false` : sql`null, null, null, null`}
    from generate_series(1, ${count}::int) n`
  await many(forum.id, 1001, true)
  await many(channel_id, 999, false)
  await begun(alice, forum.id, 'One more')
  const archived = await sql`select name from channels where server_id = ${server_id} and archived_at is not null`
  expect(archived.map(({ name }) => name)).toEqual(['p1000'])
})

test('a first message that a moderator deletes locks and hides its post', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  await rank(parley, server_id, permissions('manage_messages'), carol)
  const spam = await begun(bob, forum.id, 'Spam')
  const comment = await say(carol, spam.id, `Is this spam, <@${bob.id}>?`)
  const own = await begun(bob, forum.id, 'Own')
  const bulk = await begun(bob, forum.id, 'Bulk')
  const foreign = await forumOf(alice, [])
  const untouched = await begun(alice, foreign.forum.id, 'Untouched')
  await carol.delete(`/api/messages/${spam.first_message_id}`)
  await bob.delete(`/api/messages/${own.first_message_id}`)
  const ids = [bulk.first_message_id, untouched.first_message_id]
  expect((await carol.post(`/api/channels/${bulk.id}/messages/bulk-delete`, { ids })).status).toBe(204)
  expect(await listed(bob, forum.id)).toEqual(['Own'])
  expect(await listed(alice, foreign.forum.id)).toEqual(['Untouched'])
  expect((await alice.get(`/api/channels/${spam.id}`)).body).toMatchObject({
    hidden: true,
    locked: true,
    first_message_id: null,
  })
  expect((await alice.get(`/api/channels/${own.id}`)).body).toMatchObject({ hidden: false, first_message_id: null })
  for (const path of [`/api/channels/${spam.id}`, `/api/channels/${spam.id}/messages`, `/api/messages/${comment.id}`])
    expect((await bob.get(path)).status).toBe(404)
  expect((await bob.post(`/api/channels/${spam.id}/messages`, { content: 'x' })).status).toBe(404)
  const mentions = (await bob.get('/api/mentions')).body
  expect(mentions.filter((each: any) => each.channel_id === spam.id)).toEqual([])
  expect((await alice.get(`/api/messages/${comment.id}`)).status).toBe(200)
})

test('the name of a hidden post reaches those who manage threads, and nobody else, also when they resume', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  const moderators = await rank(parley, server_id, permissions('manage_threads'), carol)
  const spam = await begun(bob, forum.id, 'Peregrine', 'An egg')
  await say(carol, spam.id, `A secret egg, <@${bob.id}>`)
  const lives = await Promise.all([alice, bob, carol].map((who) => connect(who)))
  const since = lives.map((live) => live.of('synced')[0]?.d.s)
  await carol.put(`/api/channels/${spam.id}`, { hidden: true })
  const keeper = new ThreadKeeper(parley.parts)
  await keeper.run()
  const named = await carol.put(`/api/channels/${spam.id}`, { locked: true })
  expect(named.body).toMatchObject({ name: 'Peregrine', hidden: true })
  const isOf = ({ d }: { d: any }) => d.id === spam.id
  const names = (live: Gateway) =>
    live
      .of('thread.updated')
      .filter((frame) => isOf(frame) && frame.d.hidden)
      .map(({ d }) => d.name)
  for (const live of lives) {
    await live.next('thread.updated', (frame) => isOf(frame) && frame.d.hidden)
    await live.settled()
  }
  expect(lives.map((live) => names(live).at(-1))).toEqual(['Peregrine', '', 'Peregrine'])
  // Each change is published by itself if the first one has been by then.
  expect(new Set(names(lives[1] as Gateway))).toEqual(new Set(['']))
  for (const live of lives) live.close()
  const resume = async (who: Person, at: number) => {
    const live = await connect(who, `&s=${since[at]}`)
    expect(live.frames[0]?.d.resumed).toBe(true)
    live.close()
    return names(live)
  }
  expect(await resume(alice, 0)).toEqual(['Peregrine'])
  expect(await resume(bob, 1)).toEqual([''])
  expect(await resume(carol, 2)).toEqual(['Peregrine'])
  expect((await alice.delete(`/api/roles/${moderators}`)).status).toBe(204)
  expect(await resume(carol, 2)).toEqual([''])
  expect(await listed(alice, forum.id)).toEqual(['Peregrine'])
  for (const path of [
    `/api/channels/${forum.id}/threads`,
    `/api/channels/${forum.id}/threads?q=peregrine`,
    `/api/channels/${forum.id}/threads?followed=true`,
    `/api/search?server_id=${server_id}&q=peregrine`,
    `/api/search?server_id=${server_id}&q=egg`,
    '/api/mentions',
  ]) {
    const { status, body } = await bob.get(path)
    expect([path, status, /Peregrine|egg/.test(JSON.stringify(body))]).toEqual([path, 200, false])
  }
  const ready = await connect(bob)
  expect(JSON.stringify(ready.frames)).not.toContain('Peregrine')
  ready.close()
  await alice.put(`/api/channels/${spam.id}`, { hidden: false })
  await keeper.run()
  expect((await bob.get(`/api/channels/${spam.id}`)).body.name).toBe('Peregrine')
  keeper.stop()
})

test('ready names followed posts only, and a pinned post is not archived for being quiet', async () => {
  const { forum } = await forumOf(alice, [bob])
  const own = await begun(bob, forum.id, 'Mine')
  const other = await begun(alice, forum.id, 'Not mine')
  await alice.put(`/api/channels/${other.id}`, { pinned: true })
  await sql`update channels set active_at = now() - interval '9 days' where parent_id = ${forum.id}`
  const live = await connect(bob)
  const ready: any = live.frames.find(({ t }) => t === 'ready')?.d
  expect(ready.threads.filter((each: any) => each.parent_id === forum.id).map((each: any) => each.id)).toEqual([own.id])
  const keeper = new ThreadKeeper(parley.parts)
  await keeper.archive()
  await keeper.run()
  const { d } = await live.next('thread.updated', (frame) => frame.d.id === own.id && frame.d.archived_at !== null)
  expect(d.tag_ids).toEqual([])
  expect((await alice.get(`/api/channels/${other.id}`)).body.archived_at).toBeNull()
  keeper.stop()
  live.close()
})
