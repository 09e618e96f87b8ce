import { expect, test } from 'bun:test'
import { newServer, person, say, standard, until } from '../../support/harness.ts'
import { begun } from '../../support/forums.ts'
import { Page } from '../../support/page.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()

const PUBLIC = 'Anyone can read what you write here, without an account.'

test('the owner publishes a server and a channel, and reads whose older messages that concerns', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  for (const who of [ann, ben, ben]) await say(who, channel_id, 'Before')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const owner = await Page.as(ann, path)
  await owner.sees(owner.composer())
  expect(await owner.getByText(PUBLIC).count()).toBe(0)
  await owner.inServerMenu('Server settings')
  await owner.getByRole('checkbox', { name: 'Channels of this server may be public' }).click()
  await owner.sees(owner.getByRole('checkbox', { name: 'Search engines may list them' }))
  await owner.keyboard.press('Escape')
  await owner.button('Settings of #general').click()
  await owner.button('Public pages').click()
  await owner.getByRole('checkbox', { name: 'Anyone can read this channel without an account' }).click()
  await owner.sees('People who wrote here: 2. Their messages: 3.')
  const link = owner.link('Open the public page')
  expect((await fetch(new URL((await link.getAttribute('href')) ?? '', parley.url))).status).toBe(200)
  const channel = async () => (await ann.get(`/api/channels/${channel_id}`)).body
  expect(await channel()).toMatchObject({ public_older: false })
  await owner.getByRole('checkbox', { name: 'Include older messages' }).click()
  await until(async () => (await channel()).public_older === true)
  const writer = await Page.as(ben, path)
  await writer.sees(PUBLIC)
  for (const page of [owner, writer]) await page.leave()
})

test('a public forum says so in the form of a post and below an answer', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id } = await newServer(ann, ben)
  const forum = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'help', type: 'forum' })).body
  const post = await begun(ann, forum.id, 'Which owl?')
  const writer = await Page.as(ben, `/app/servers/${server_id}/channels/${forum.id}`)
  await writer.sees(writer.locator('.posts a.post', { hasText: 'Which owl?' }))
  await writer.locator('.begin').click()
  await writer.sees(writer.field('Title'))
  expect(await writer.getByText(PUBLIC).count()).toBe(0)
  await ann.put(`/api/channels/${forum.id}`, { public: true })
  await ann.put(`/api/servers/${server_id}`, { public: true })
  await writer.sees(writer.locator('.new-post').getByText(PUBLIC))
  await writer.goto(`/app/servers/${server_id}/channels/${post.id}`)
  await writer.sees(writer.locator('.side-panel').getByText(PUBLIC))
  await writer.leave()
})

test('a gallery shows the first picture of each post large, and a spoiler hazy', async () => {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  const draft = { name: 'pictures', type: 'forum', layout: 'gallery' }
  const forum = (await ann.post(`/api/servers/${server_id}/channels`, draft)).body
  for (const name of ['owl.png', 'SPOILER_end.png']) {
    const text = await upload(ann, 'notes.txt', 'text/plain', new TextEncoder().encode('x'))
    const ids = [text.id, (await upload(ann, name, 'image/png', await png(40, 30))).id]
    await begun(ann, forum.id, name, '', { message: { content: '', file_ids: ids } })
  }
  const [, first] = (await ann.get(`/api/channels/${forum.id}/threads`)).body
  expect(first.first_message.picture).toMatchObject({ filename: 'owl.png', width: 40, height: 30 })
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${forum.id}`)
  const posts = page.locator('.posts.gallery a.post')
  await page.until(async () => (await posts.count()) === 2)
  const pictureOf = (name: string) => posts.filter({ hasText: name }).locator('.thumbnail.large img')
  expect(await pictureOf('owl.png').getAttribute('class')).not.toContain('hazy')
  expect(await pictureOf('SPOILER_end.png').getAttribute('class')).toContain('hazy')
  await page.leave()
})
