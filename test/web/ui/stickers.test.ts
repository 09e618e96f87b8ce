import { expect, test } from 'bun:test'
import { newServer, type Person, person, say, standard, until } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()

const make = async (who: Person, server_id: number, name: string, alt: string) => {
  const file_id = (await upload(who, 'otter.png', 'image/png', await png(64, 64))).id
  return (await who.post(`/api/servers/${server_id}/stickers`, { name, alt, file_id })).body
}

async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const newest = async () => (await bob.get(`/api/channels/${channel_id}/messages?limit=1`)).body[0]
  return { alice, bob, server_id, channel_id, newest, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

test('a sticker is chosen by tab, search and keyboard, and answers what the composer answers', async () => {
  const { alice, bob, server_id, channel_id, newest, path } = await scene()
  await make(alice, server_id, 'Otter', 'An otter waves')
  await make(alice, server_id, 'Heron', 'A heron bows')
  const question = await say(bob, channel_id, 'Who greets?')
  const page = await Page.as(alice, path)
  await page.sees('Who greets?')
  await page.composer().fill('Not sent yet')
  await page.button('Insert an emoji').click()
  await page.getByRole('tab', { name: 'Stickers' }).click()
  await page.sees(page.getByRole('option', { name: 'Send sticker Otter: An otter waves' }))
  const search = page.getByRole('combobox', { name: 'Search stickers' })
  await search.fill('bows')
  await page.sees(page.getByRole('option', { name: 'Send sticker Heron: A heron bows' }))
  expect(await page.getByRole('option').count()).toBe(1)
  await search.press('Enter')
  await page.misses(page.dialog('Stickers'))
  await page.sees(page.getByRole('img', { name: 'A heron bows' }))
  expect(await newest()).toMatchObject({ content: '', reply_to_id: null, sticker: { name: 'Heron' } })
  expect(await page.composer().inputValue()).toBe('Not sent yet')
  // Others hear it by name and description.
  const other = await Page.as(bob, path)
  await other.sees(other.getByRole('img', { name: 'A heron bows' }))
  const { id } = await newest()
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Nice', reply_to_id: id })
  await page.sees('Heron · A heron bows')
  expect(question.id).toBeLessThan(id)
  for (const each of [page, other]) await each.leave()
})

test('stickers appear and go while the picker is open, and one that is gone says so', async () => {
  const { alice, bob, server_id, channel_id, path } = await scene()
  const page = await Page.as(bob, path)
  await page.sees(page.composer())
  await page.button('Insert an emoji').click()
  await page.getByRole('tab', { name: 'Stickers' }).click()
  await page.sees('No stickers yet')
  const otter = await make(alice, server_id, 'Otter', 'An otter waves')
  const option = page.getByRole('option', { name: 'Send sticker Otter: An otter waves' })
  await page.sees(option)
  await alice.post(`/api/channels/${channel_id}/messages`, { sticker_id: otter.id })
  await alice.delete(`/api/stickers/${otter.id}`)
  await page.misses(option)
  await page.keyboard.press('Escape')
  await page.sees(page.getByRole('img', { name: 'An otter waves' }))
  await parley.parts.sql`delete from stickers where id = ${otter.id}`
  await page.goto(path)
  await page.sees('This sticker no longer exists.')
  await page.leave()
})

test('a manager adds, changes and deletes stickers in the settings of the server', async () => {
  const { alice, server_id, path } = await scene()
  const page = await Page.as(alice, path)
  await page.sees(page.composer())
  await page.inServerMenu('Server settings')
  await page.getByRole('button', { name: 'Stickers', exact: true }).click()
  await page.sees('No stickers yet')
  await page.field('Sticker name').fill('Otter')
  await page.field('Description').fill('An otter waves')
  const choosing = page.fileChooser()
  await page.button('Upload a picture').click()
  await (await choosing).setFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from(await png(40, 40)) })
  const row = page.getByRole('form', { name: 'Edit Otter' })
  await page.sees(row)
  await page.sees(/Pictures and sounds of this server take/)
  const list = async () => (await alice.get(`/api/servers/${server_id}/stickers`)).body
  await row.getByRole('textbox', { name: 'Description' }).fill('An otter waves twice')
  await row.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await list())[0]?.alt === 'An otter waves twice')
  await page.button('Delete Otter').click()
  await page.dialog('Delete Otter').getByRole('button', { name: 'Delete Otter' }).click()
  await page.sees('No stickers yet')
  expect(await list()).toEqual([])
  await page.leave()
})

test('a picture is kept in the viewer, sent again from the picker, and removed', async () => {
  const { alice, bob, channel_id, newest, path } = await scene()
  const { id } = await upload(alice, 'heron.png', 'image/png', await png(60, 40))
  await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [id] })
  const page = await Page.as(bob, path)
  await page.button('Open heron.png').click()
  await page.button('Keep picture').click()
  await page.sees('Picture kept. You can find it in the emoji picker.')
  await page.keyboard.press('Escape')
  await page.misses(page.button('Keep picture'))
  await page.button('Insert an emoji').click()
  await page.getByRole('tab', { name: 'Pictures' }).click()
  await page.button('Send heron.png').click()
  await page.misses(page.dialog('Pictures'))
  await until(async () => (await newest()).author.id === bob.id)
  expect((await newest()).files).toMatchObject([{ filename: 'heron.png', uploader_id: bob.id }])
  await page.button('Insert an emoji').click()
  await page.getByRole('tab', { name: 'Pictures' }).click()
  await page.button('Remove heron.png').click()
  await page.sees('No pictures yet')
  expect((await bob.get('/api/favourites')).body).toEqual([])
  await page.leave()
})

test('in a message request a sticker stays covered until it is asked for', async () => {
  const { alice, bob, server_id } = await scene()
  await bob.put('/api/auth/privacy', { requests: true })
  const { id } = await make(alice, server_id, 'Otter', 'An otter waves')
  const { body } = await alice.post('/api/dm/messages', { recipient_id: bob.id, sticker_id: id })
  const page = await Page.as(bob, `/c/${body.channel_id}`)
  await page.sees(page.button('Show this picture'))
  expect(await page.getByRole('img', { name: 'An otter waves' }).count()).toBe(0)
  await page.button('Show this picture').click()
  await page.sees(page.getByRole('img', { name: 'An otter waves' }))
  await page.leave()
})
