import { expect, test } from 'bun:test'
import { PASSWORD, person, newServer, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()
const { sql } = parley.parts

async function operator(name: string) {
  const olga = await person(parley, name)
  await sql`update users set operator_since = now() where id = ${olga.id}`
  return olga
}

async function prove(page: Page): Promise<void> {
  await page.sees(page.field('Password'))
  await page.field('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.sees(page.getByRole('navigation', { name: 'Operator' }))
}

test('a figure without samples has no chart', async () => {
  const page = await Page.as(await operator('olga'), '/operator/health')
  await prove(page)
  await sql`insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages)
    values (now(), 60, 1, 1, 0, 1, 1000, 1) on conflict do nothing`
  await page.route('**/api/operator/samples?*', async (route) => {
    const answer = await route.fetch()
    const samples: Record<string, unknown>[] = await answer.json()
    await route.fulfill({ response: answer, json: samples.map((sample) => ({ ...sample, accounts: null })) })
  })
  await page.link('Figures').click()
  const chart = (title: string) => page.locator('.chart').filter({ hasText: title })
  await page.sees(chart('Messages sent'))
  expect(await chart('Accounts').count()).toBe(0)
  await page.leave()
})

test('by keyboard an operator finds an account, suspends it and restores it', async () => {
  const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
  const page = await Page.as(olga, '/operator/accounts')
  await prove(page)
  await page.field('Id, name or e-mail address').focus()
  await page.keyboard.type(mallory.username)
  await page.keyboard.press('Enter')
  await page.until(async () => (await page.locator('.table li').count()) === 1)
  await page.button(`Open ${mallory.username}`).press('Enter')
  await page.button('Suspend').press('Enter')
  await page.field(/^Reason/).fill('Advertising')
  await page.keyboard.press('Enter')
  await page.sees(page.button('Restore'))
  await page.sees('Advertising')
  expect((await mallory.get('/api/auth/me')).status).toBe(401)
  await page.button('Restore').press('Enter')
  await page.locator('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.sees(page.button('Suspend'))
  await page.button('Reset password').click()
  await page.locator('dialog').getByRole('button', { name: 'Reset password' }).click()
  await page.sees(page.getByRole('alert').locator('code'))
  // The dialog closes once the account is read again, which must not need a proof.
  await page.misses(page.locator('dialog'))
  await sql`update sessions set proven_at = now() - interval '11 minutes' where user_id = ${olga.id}`
  await page.link('Log').click()
  await prove(page)
  await page.sees('reset-password')
  await page.leave()
})

test('search results stay, though the earlier list arrives later', async () => {
  const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
  const page = await Page.as(olga, '/operator/log')
  await prove(page)
  const [whole, found] = [Promise.withResolvers<void>(), page.locator('.table li')]
  await page.route('**/api/operator/accounts?limit=50', (route) => whole.promise.then(() => route.continue()))
  await page.link('Accounts').click()
  await page.field('Id, name or e-mail address').fill(mallory.username)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.until(async () => (await found.count()) === 1)
  const late = page.answered('**/api/operator/accounts?limit=50')
  whole.resolve()
  await late
  // Longer than it takes to show a list.
  await Bun.sleep(100)
  expect(await found.count()).toBe(1)
  await page.leave()
})

test('a failed search clears the earlier results; a late failure does not affect the newest search', async () => {
  const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
  const page = await Page.as(olga, '/operator/accounts')
  await prove(page)
  const [found, refusal] = [page.locator('.table li'), page.getByRole('alert')]
  const search = async (name: string) => {
    await page.field('Id, name or e-mail address').fill(name)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
  }
  await search(mallory.username)
  await page.until(async () => (await found.count()) === 1)
  await page.route('**/api/operator/accounts?*q=fails*', (route) => route.abort())
  await search('fails')
  await page.sees(refusal)
  expect(await found.count()).toBe(0)

  const [requestSeen, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/operator/accounts?*q=late*', async (route) => {
    requestSeen.resolve()
    await release.promise
    await route.abort()
  })
  await search('late')
  await requestSeen.promise
  await search(mallory.username)
  await page.until(async () => (await found.count()) === 1)
  const late = page.answered('**/api/operator/accounts?*q=late*')
  release.resolve()
  await late
  // Longer than it takes to show a refusal.
  await Bun.sleep(100)
  expect(await refusal.count()).toBe(0)
  await page.leave()
})

test('an operator creates a link, deletes account, invite and server, closes registration, backs up', async () => {
  const [olga, mallory, alice] = [
    await operator('olga'),
    await person(parley, 'mallory'),
    await person(parley, 'alice'),
  ]
  const { server_id } = await newServer(alice)
  const { code } = (await alice.post('/api/invites', { server_id })).body
  const page = await Page.as(olga, '/operator/accounts')
  const dialog = page.locator('dialog')
  const rows = page.locator('.table li')
  await prove(page)
  await page.field('Id, name or e-mail address').fill(mallory.username)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.button(`Open ${mallory.username}`).click()
  await page.button('Create reset link').click()
  await page.sees(page.getByRole('alert').getByText(/\/reset#[\w-]{43}$/))
  await page.button('Delete account').click()
  expect(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(mallory.username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.sees(page.field('Id, name or e-mail address'))
  expect((await mallory.get('/api/auth/me')).status).toBe(401)

  await page.link('Registration').click()
  await page.field('Who can register').selectOption('closed')
  await page.sees('Now: Nobody')
  await page.field('Who can register').selectOption('')
  await page.sees('Now: Everyone')
  const invite = rows.filter({ hasText: `by ${alice.username}` })
  await invite.getByRole('button', { name: 'Delete' }).click()
  await page.misses(invite)
  expect((await alice.get(`/api/invites/${code}`)).status).not.toBe(200)

  await page.link('Servers').click()
  await page.field('Id or name').fill(String(server_id))
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.until(async () => (await rows.count()) === 1)
  await page.button('Delete Birdwatchers').click()
  await dialog.getByRole('textbox').fill(String(server_id))
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.sees('No servers found.')
  expect((await alice.get(`/api/servers/${server_id}`)).status).toBe(404)

  const check = { file: 'parley.tar.zst', problem: 'The backup is truncated.' }
  await parley.parts.sql`insert into backup_checks ${parley.parts.sql(check)}`
  await page.link('Backups').click()
  await page.sees('parley.tar.zst is not intact: The backup is truncated.')
  await page.button('Make a backup now').click()
  await page.sees('The backup has started.')
  await page.leave()
})
