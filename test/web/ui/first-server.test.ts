import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a new owner sees which roles can manage, and the server has the chosen channels, roles and rules', async () => {
  const ann = await person(parley, 'ann')
  const owner = await Page.as(ann, '/app')
  await owner.button('Add a server').click()
  await owner.getByRole('radio', { name: /^Open source project/ }).click()
  await owner.field('Server name').fill('Heron')
  await owner.button('Continue').click()
  await owner.sees(/Everyone can read, only moderators can write/)
  await owner.sees('Roles that can manage')
  await owner.sees(/^Kick members/)
  await owner.getByRole('checkbox', { name: /^showcase/ }).click()
  expect((await ann.get('/api/servers')).body).toEqual([])
  await owner.button('Create server').click()
  await owner.button('Skip for now').click()
  await owner.getByRole('textbox', { name: 'Rules' }).fill('1. Be kind.')
  await owner.button('Continue').click()
  await owner.sees('Invite your first members')
  await owner.button('Open Heron').click()
  await owner.sees(owner.getByRole('link', { name: /development/ }))

  const [server] = (await ann.get('/api/servers')).body
  expect(server).toMatchObject({ name: 'Heron', rules_version: 1 })
  const { body: template } = await ann.get(`/api/servers/${server.id}/template`)
  expect(template.channels.map(({ name }: any) => name)).toEqual(['general', 'news', 'help', 'development', 'Meeting'])
  expect(template.roles.map(({ name }: any) => name)).toEqual(['Moderators'])
  expect(template.rules).toBe('1. Be kind.')
  expect(template.channels[1].overwrites).toHaveLength(2)
})

test('a saved template makes a server like the first one, and another file is refused', async () => {
  const ann = await person(parley, 'ann')
  const channels = [{ name: 'owls', type: 'text' }]
  const roles = [{ name: 'Keepers', permissions: 2 }]
  const owner = await Page.as(ann, '/app')
  const giveFile = async (text: string) => {
    const choosing = owner.fileChooser()
    await owner.getByRole('radio', { name: /^From a file/ }).click()
    await (
      await choosing
    ).setFiles([{ name: 'template.json', mimeType: 'application/json', buffer: Buffer.from(text) }])
  }
  await owner.button('Add a server').click()
  await owner.field('Server name').fill('Aviary')
  const many = Array.from({ length: 20_000 }, () => channels[0])
  for (const wrong of [
    [],
    { channels: [null] },
    { channels: [{ name: 1 }] },
    { channels, roles: {} },
    { channels: many },
  ]) {
    await giveFile(JSON.stringify(wrong))
    await owner.sees('This file is not a template.')
    await owner.misses(owner.getByText('This file is not a template.'))
  }
  await giveFile(JSON.stringify({ channels, roles }))
  await owner.button('Continue').click()
  await owner.sees('owls')
  await owner.sees('Keepers')
  await owner.button('Create server').click()
  await owner.sees('Add a picture')
  const [server] = (await ann.get('/api/servers')).body
  expect((await ann.get(`/api/servers/${server.id}/template`)).body).toMatchObject({ channels, roles })
})
