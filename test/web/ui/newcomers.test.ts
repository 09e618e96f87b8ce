import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a community begins with news that members read and do not write', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  const visitor = await Page.as(ann)
  await visitor.button('Add a server').click()
  await visitor.getByText('Club or community').click()
  await visitor.field('Server name').fill('Weir club')
  await visitor.button('Create server').click()
  await visitor.button('Skip for now').click()
  await visitor.sees('Everyone can read, only moderators can write')
  await visitor.button(/^Create \d/).click()
  await visitor.until(async () => (await visitor.field('Invite link').inputValue()) !== '')
  const link = await visitor.field('Invite link').inputValue()
  await ben.post(`/api/invites/${link.split('/').at(-1)}/join`)
  const servers = (await ben.get('/api/servers')).body
  const { id } = servers.find((server: { name: string }) => server.name === 'Weir club')
  const channels: { id: number; name: string }[] = (await ben.get(`/api/servers/${id}/channels`)).body
  const send = async (name: string) => {
    const channel = channels.find((each) => each.name === name)
    return (await ben.post(`/api/channels/${channel?.id}/messages`, { content: 'Hello' })).status
  }
  expect([await send('news'), await send('introductions')]).toEqual([403, 201])
  await visitor.leave()
})
