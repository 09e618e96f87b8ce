import { expect, test } from 'bun:test'
import { newServer, person, standard, until } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a newcomer sees the rules first, accepts them and writes; the others wave', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  await ann.put(`/api/servers/${server_id}`, { system_channel_id: channel_id })
  const owner = await Page.as(ann, path)
  await owner.inServerMenu('Server settings')
  await owner.button('New members').click()
  await owner.field('Rules (Markdown, at most 16 lines)').fill('1. Be **kind**.\n2. No spam.')
  await owner.button('Save rules').click()
  await owner.sees('Saved')
  await owner.button('Close').click()

  const { code } = (await ann.post('/api/invites', { server_id })).body
  await ben.post(`/api/invites/${code}/join`)
  const newcomer = await Page.as(ben, path)
  const dialog = newcomer.getByRole('dialog', { name: /^Rules of/ })
  await newcomer.sees(dialog)
  await newcomer.sees('No spam.')
  await newcomer.button('Close').click()
  await newcomer.sees('Accept the rules of this server to write here.')
  await newcomer.button('Read the rules').click()
  await newcomer.sees('No spam.')
  await ann.put(`/api/servers/${server_id}/rules`, { content: '1. Be kind.\n2. No ads.' })
  await newcomer.button('Accept the rules').click()
  await newcomer.sees('The rules have just changed. Please read them again.')
  await newcomer.sees('No ads.')
  await newcomer.button('Accept the rules').click()
  await newcomer.misses(dialog)
  await newcomer.misses(newcomer.button('Read the rules'))
  await newcomer.say('Hello all')
  await owner.sees(owner.message('Hello all'))

  await owner.button('Wave').click()
  await newcomer.sees(newcomer.message('👋'))
  await owner.misses(owner.button('Wave'))
})

test('a newcomer who accepts the rules before the welcome has loaded sees it once, and never above them', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann)
  await ann.put(`/api/servers/${server_id}/rules`, { content: 'Be kind.' })
  await ann.put(`/api/servers/${server_id}/welcome`, { content: 'We meet at the weir.', channels: [{ channel_id }] })
  const { code } = (await ann.post('/api/invites', { server_id })).body
  const newcomer = await Page.as(ben, `/invite/${code}`)
  const [accepted, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  newcomer.route('**/welcome', async (route) => {
    await accepted.promise
    route.continue()
  })
  newcomer.route('**/members/@me/rules', async (route) => {
    const response = await route.fetch()
    accepted.resolve()
    await answered.promise
    route.fulfill({ response, json: await response.json().catch(() => null) })
  })
  await newcomer.locator('.card button').first().click()
  const welcomeLoads = newcomer.answered('**/welcome')
  await newcomer.button('Accept the rules').click()
  await Promise.all([welcomeLoads, newcomer.misses(newcomer.button('Read the rules'))])
  // Longer than the welcome waits for its channel: the answer to the acceptance comes last.
  await Bun.sleep(600)
  expect(await newcomer.locator('dialog[open]').count()).toBe(1)
  const acceptanceEnds = newcomer.answered('**/members/@me/rules')
  answered.resolve()
  await acceptanceEnds
  await newcomer.sees('We meet at the weir.')
  await newcomer.button('Look around').click()
  await newcomer.misses(newcomer.locator('dialog[open]'))
  await newcomer.leave()
})

test('a new version of the rules shows members a line, which ends once they have read it', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const member = await Page.as(ben, `/app/servers/${server_id}/channels/${channel_id}`)
  await ann.put(`/api/servers/${server_id}/rules`, { content: 'Be kind.' })
  await member.sees('The rules of this server have changed.')
  await member.say('I can still write')
  await member.button('Read the rules').click()
  await member.button('Accept the rules').click()
  await member.misses(member.button('Read the rules'))
  const { body } = await ann.get(`/api/servers/${server_id}/members`)
  expect(body.find((each: any) => each.user.id === ben.id).rules_version).toBe(1)
})

test('a manager lets members pick a role, confirms what it opens, and a member picks it', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const { body: secret } = await ann.post(`/api/servers/${server_id}/channels`, { name: 'nests', type: 'text' })
  const { body: roles } = await ann.get(`/api/servers/${server_id}/roles`)
  const { body: birds } = await ann.post(`/api/servers/${server_id}/roles`, { name: 'Birds' })
  const access = `/api/channels/${secret.id}/permissions`
  await ann.put(`${access}/${roles[0].id}`, { deny: 1024 })
  await ann.put(`${access}/${birds.id}`, { allow: 1024 })
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, member] = [await Page.as(ann, path), await Page.as(ben, path)]
  await owner.inServerMenu('Server settings')
  await owner.button('Roles').click()
  await owner.button('Birds').click()
  await owner.getByRole('checkbox', { name: 'Members can pick this role themselves' }).click()
  await owner.button('Save').click()
  await owner.sees('Everyone can pick the role, so everyone will be able to see: #nests')
  await owner.button('Open them').click()
  await owner.sees('Saved')
  expect((await ann.get(`/api/roles/${birds.id}`)).body.self_assignable).toBe(true)

  await member.inServerMenu('Channels and roles')
  await member.getByRole('checkbox', { name: 'Birds' }).click()
  await member.button('Close').click()
  await member.sees('nests')
  await member.inServerMenu('Channels and roles')
  await member.getByRole('checkbox', { name: 'Birds' }).click()
  await member.button('Close').click()
  await member.misses(member.getByRole('link', { name: /nests/ }))
})

test('a manager asks newcomers, whose answers give a role and a channel; both are chosen anew later', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann)
  await ann.post(`/api/servers/${server_id}/roles`, { name: 'Owls', self_assignable: true })
  await ann.post(`/api/servers/${server_id}/channels`, { name: 'nests', type: 'text' })
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const owner = await Page.as(ann, path)
  await owner.button('Settings of #nests').click()
  await owner.getByRole('checkbox', { name: 'Members choose this channel' }).click()
  await owner.button('Save').click()
  await owner.sees('Saved')
  await owner.button('Close').click()
  await owner.inServerMenu('Server settings')
  await owner.button('New members').click()
  await owner.button('Add question').click()
  await owner.getByRole('textbox', { name: 'Question' }).fill('What do you watch?')
  await owner.getByRole('checkbox', { name: 'New members must answer it' }).click()
  await owner.getByRole('textbox', { name: 'Answer' }).fill('Birds of the night')
  await owner.getByRole('checkbox', { name: 'Owls' }).click()
  await owner.getByRole('checkbox', { name: '#nests' }).click()
  await owner.button('Add answer').click()
  await owner.getByRole('textbox', { name: 'Answer' }).nth(1).fill('Nothing')
  await owner.button('Save questions').click()
  await owner.sees('Saved')
  await owner.button('Close').click()

  const { code } = (await ann.post('/api/invites', { server_id })).body
  await ben.post(`/api/invites/${code}/join`)
  const newcomer = await Page.as(ben, path)
  await newcomer.sees('What do you watch?')
  await newcomer.misses(newcomer.getByRole('link', { name: /nests/ }))
  expect(await newcomer.button('Go in').isDisabled()).toBe(true)
  await newcomer.getByRole('radio', { name: 'Birds of the night' }).click()
  await newcomer.button('Go in').click()
  await newcomer.sees(newcomer.getByRole('link', { name: /nests/ }))
  const { body } = await ben.get(`/api/servers/${server_id}/members/${ben.id}/roles`)
  expect(body.map(({ name }: any) => name)).toEqual(['everyone', 'Owls'])

  await newcomer.button('Browse channels').click()
  await newcomer.getByRole('checkbox', { name: 'nests' }).click()
  await newcomer.getByRole('radio', { name: 'Nothing' }).click()
  await newcomer.button('Close').click()
  await newcomer.misses(newcomer.getByRole('link', { name: /nests/ }))
  await until(async () => {
    const { body: roles } = await ben.get(`/api/servers/${server_id}/members/${ben.id}/roles`)
    return roles.length === 1
  })
})

test('a newcomer is welcomed with the channels that the owner has chosen', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann)
  const owner = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await owner.inServerMenu('Server settings')
  await owner.button('New members').click()
  await owner.getByRole('textbox', { name: 'Text', exact: true }).fill('We watch birds, at any hour.')
  await owner.button('Add channel').click()
  await owner.field('What it is for').fill('Say hello here')
  await owner.button('Save welcome').click()
  await owner.sees('Saved')

  const { code } = (await ann.post('/api/invites', { server_id })).body
  const newcomer = await Page.as(ben, `/invite/${code}`)
  await newcomer.button('Join server').click()
  await newcomer.sees('We watch birds, at any hour.')
  await newcomer.sees('Say hello here')
  await newcomer.button('Look around').click()
  await newcomer.misses(newcomer.button('Look around'))
})

test('an invite for a call gives a role, its page says so, and a member whose time is over reads that', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann)
  await ann.post(`/api/servers/${server_id}/roles`, { name: 'Owls', self_assignable: true })
  const owner = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await owner.inServerMenu('Invite people')
  await owner.field('Membership').selectOption({ label: 'For one call' })
  await owner.field('Gives the role').selectOption({ label: 'Owls' })
  const link = () => owner.field('Invite link').inputValue()
  await owner.until(async () => (await link()) !== '')
  const first = await link()
  await owner.button('Create another link').click()
  await owner.until(async () => (await link()) !== first)
  const { pathname } = new URL(await link())
  await owner.button('Close').click()
  await owner.inServerMenu('Server settings')
  await owner.button('Invites').click()
  await owner.sees(/For one call/)
  await owner.sees(/Gives the role: Owls/)

  const newcomer = await Page.as(ben, pathname)
  await newcomer.sees('You will be a member until five minutes after your last call here.')
  await newcomer.button('Join server').click()
  await newcomer.sees(newcomer.getByRole('link', { name: /general/ }))
  const { body: roles } = await ben.get(`/api/servers/${server_id}/members/${ben.id}/roles`)
  expect(roles.map(({ name }: any) => name)).toEqual(['everyone', 'Owls'])
  await parley.parts.sql`update temporary_members set due_at = now() where user_id = ${ben.id}`
  await parley.sweep()
  await newcomer.sees(/^Your temporary membership of .* has ended/)
})
