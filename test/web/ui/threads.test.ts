import { test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a thread is begun from the header, without a message, by keyboard', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.getByRole('button', { name: /^Threads/ }).press('Enter')
  await visitor.sees('No threads yet')
  await visitor.locator('.empty-state').getByRole('button', { name: 'Start a thread' }).press('Enter')
  await visitor.field('Thread name').fill('Owls')
  await visitor.keyboard.press('Enter')
  await visitor.sees(visitor.getByRole('complementary', { name: 'Thread Owls' }))
  await visitor.sees('This is the beginning of the thread.')
  await visitor.leave()
})

test('the address of an unfollowed thread leads to it, though other events arrive before its answer', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const thread = (await ben.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
  await say(ben, thread.id, 'It sat on the third post.')
  const visitor = await Page.as(ann)
  await visitor.route(`**/api/channels/${thread.id}`, async (route) => {
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'meanwhile', type: 'text' })
    await visitor.sees(visitor.link('meanwhile'))
    await route.continue()
  })
  await visitor.goto(`${parley.url}/app/servers/${server_id}/channels/${thread.id}`)
  await visitor.sees(visitor.message('third post'))
  await visitor.leave()
})
