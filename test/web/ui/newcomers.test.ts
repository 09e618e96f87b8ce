import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a community begins with news that members read and do not write', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  const visitor = await Page.as(ann)
  await visitor.button('Add a server').click()
  await visitor.getByText('Club or community').click()
  await visitor.field('Server name').fill('Weir club')
  await visitor.button('Continue').click()
  await visitor.sees('Everyone can read, only moderators can write')
  await visitor.sees('Roles that can manage')
  await visitor.sees(/^Kick members/)
  await visitor.button('Create server').click()
  await visitor.button('Skip for now').click()
  await visitor.button('Skip for now').click()
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

test('registration by an invite always shows the server, errors at each field, and the typed text', async () => {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  await ann.put(`/api/servers/${server_id}`, { name: 'Lakeside' })
  const { code } = (await ann.post('/api/invites', { server_id })).body
  const visitor = await Page.stranger(parley, `/invite/${code}`)
  await visitor.link('Create account').click()
  await visitor.sees('Next, you will join Lakeside.')
  await visitor.field('What should people call you?').fill('Newcomer')
  await visitor.field('Username').fill(ann.username)
  await visitor.field('E-mail').fill('newcomer@example.org')
  await visitor.field('Password').fill('short')
  await visitor.button('Show what I type').click()
  expect(await visitor.field('Password').getAttribute('type')).toBe('text')
  await visitor.button('Create account').click()
  const field = visitor.locator('.field', { hasText: 'Password' })
  await visitor.sees(field.getByRole('alert'))
  await visitor.until(() => visitor.field('Password').isFocused())
  await visitor.field('Password').fill('Correct-Horse-7!')
  await visitor.button('Create account').click()
  await visitor.sees(visitor.locator('.field', { hasText: 'Username' }).getByRole('alert'))
  await visitor.link('Log in').click()
  await visitor.sees('Next, you will join Lakeside.')
  await visitor.leave()
})

test('a stranger who presses the button of an invite the moment it appears still joins that server', async () => {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  await ann.put(`/api/servers/${server_id}`, { name: 'Millpond' })
  const { code } = (await ann.post('/api/invites', { server_id })).body
  const visitor = await Page.stranger(parley, '/login')
  await visitor.sees(visitor.link('Create account'))
  await visitor.evaluate((path: string) => {
    const presser = new MutationObserver(() => {
      const link = document.querySelector<HTMLElement>('.invited a[href="/register"]')
      if (!link) return
      presser.disconnect()
      link.click()
    })
    presser.observe(document.body, { childList: true, subtree: true })
    history.pushState(null, '', path)
    dispatchEvent(new Event('popstate'))
  }, `/invite/${code}`)
  await visitor.sees('Next, you will join Millpond.')
  await visitor.leave()
})

test('a moderator bans and deletes recent messages, times out with a reason, and finds both in the log', async () => {
  const [ann, ben, mallory] = [
    await person(parley, 'ann'),
    await person(parley, 'ben'),
    await person(parley, 'mallory'),
  ]
  const { server_id, channel_id } = await newServer(ann, ben, mallory)
  await say(mallory, channel_id, 'Buy feathers')
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const page = visitor
  const choose = async (who: string, act: string) => {
    await page.locator('.members button', { hasText: who }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: act }).click()
  }
  await choose(ben.display_name, 'Time out')
  await visitor.field(/^Reason/).fill('Shouts at herons')
  await page.locator('dialog').getByRole('button', { name: 'Time out' }).click()
  await visitor.misses(page.locator('dialog'))
  await choose(mallory.display_name, 'Ban')
  await page.getByRole('combobox', { name: 'Delete their messages from the last' }).selectOption({ index: 1 })
  await page.locator('dialog').getByRole('button', { name: 'Ban' }).click()
  await visitor.misses(visitor.message('Buy feathers'))
  await visitor.inServerMenu('Server settings')
  await visitor.button('Audit log').click()
  await visitor.sees('Shouts at herons')
  await visitor.sees('deleted messages from the last')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('member.timed_out')
  await visitor.misses(page.locator('.audit li', { hasText: 'banned' }))
  await visitor.sees('Shouts at herons')
  await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: ann.display_name })
  await visitor.sees('Shouts at herons')
  await visitor.leave()
})
