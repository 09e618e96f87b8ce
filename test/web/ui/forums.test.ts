import { expect, test } from 'bun:test'
import { newServer, person, say, standard, until } from '../../support/harness.ts'
import { begun } from '../../support/forums.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

const forumIn = async (ann: Awaited<ReturnType<typeof person>>, server_id: number, fields: object = {}) =>
  (await ann.post(`/api/servers/${server_id}/channels`, { name: 'help', type: 'forum', ...fields })).body

test('a forum is created, a post is written with a tag, and its draft outlives the page', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.button('New text channel').click()
  await visitor.field('Type').selectOption('forum')
  await visitor.field('Channel name').fill('help')
  await visitor.locator('dialog').getByRole('button', { name: 'Create channel' }).click()
  await visitor.sees('No posts yet')
  const list = (await ann.get(`/api/servers/${server_id}/channels`)).body
  const forum = list.find(({ type }: { type: string }) => type === 'forum')
  await ann.put(`/api/channels/${forum.id}`, { tags: [{ name: 'Question' }, { name: 'Idea' }], tag_required: true })
  await visitor.locator('.begin').click()
  await visitor.field('Title').fill('Which owl is it?')
  await visitor.locator('.new-post .mention-field textarea').fill('It calls at **night**.')
  await visitor.sees('Choose at least one tag.')
  await visitor.reload()
  expect(await visitor.field('Title').inputValue()).toBe('Which owl is it?')
  await visitor.locator('.new-post').getByRole('button', { name: 'Question' }).click()
  await visitor.locator('.new-post').getByRole('button', { name: 'Post' }).click()
  await visitor.sees(visitor.getByRole('complementary', { name: 'Thread Which owl is it?' }))
  await visitor.sees(visitor.locator('.side-panel .message', { hasText: 'It calls at night.' }))
  const [post] = (await ann.get(`/api/channels/${forum.id}/threads`)).body
  expect(post).toMatchObject({ name: 'Which owl is it?', first_message: { content: 'It calls at **night**.' } })
  expect(post.tag_ids.length).toBe(1)
  await visitor.leave()
})

test('posts are found by words, tags and answers, and a new one appears by itself', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id } = await newServer(ann, ben)
  const forum = await forumIn(ann, server_id, { tags: [{ name: 'Owls' }, { name: 'Ducks' }] })
  const [owls, ducks] = forum.tags.map(({ id }: { id: number }) => id)
  const owl = await begun(ann, forum.id, 'Tawny owl', 'Near the church', { tag_ids: [owls] })
  await begun(ann, forum.id, 'Mallard', 'On the pond', { tag_ids: [ducks] })
  const answer = await say(ben, owl.id, 'Yes, a male.')
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${forum.id}`)
  const posts = visitor.locator('.posts a.post')
  await visitor.sees(posts.filter({ hasText: 'Mallard' }))
  const filters = visitor.locator('.filters')
  await filters.getByRole('button', { name: 'Owls' }).press('Enter')
  await until(async () => (await posts.count()) === 1)
  await filters.getByRole('button', { name: 'Owls' }).press('Enter')
  await until(async () => (await posts.count()) === 2)
  await begun(ben, forum.id, 'Heron', 'At the weir')
  await visitor.sees(posts.filter({ hasText: 'Heron' }))
  await posts.filter({ hasText: 'Tawny owl' }).click()
  await visitor.message('a male').hover()
  await ann.put(`/api/channels/${owl.id}`, { answer_message_id: answer.id })
  await visitor.sees('Go to the answer')
  await visitor.sees(posts.filter({ hasText: 'answered' }))
  await visitor.leave()
})
