import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, person, registered, standard, stop } from '../../support/harness.ts'
import { CHANGE, Mailbox, RESET, VERIFY } from '../../support/mailbox.ts'
import { freePort } from '../../support/ports.ts'
import { Page } from '../../support/page.ts'

const NEW = 'Other-Horse-77-Battery!'
const mailbox = await Mailbox.open()
const PORT = `${freePort()}`
// Links lead to PUBLIC_URL, where this server listens.
const variables = { ...mailbox.variables(), PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
const parley = await boot({ ...variables, EMAIL_VERIFICATION: 'required' })
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

test('a forgotten password is reset from the login page, by the link in the mail', async () => {
  const alice = await person(parley, 'alice')
  const page = await Page.stranger(parley, '/login')
  await page.link('Forgot your password?').click()
  await page.field('E-mail').fill(alice.email)
  await page.button('Send link').click()
  await page.sees('If an account has this address')
  const token = await mailbox.token(alice.email, RESET)
  await page.goto(`${parley.url}/reset#${token}`)
  await page.field('New password').fill(NEW)
  expect(page.url()).toBe(`${parley.url}/reset`)
  await page.button('Set password').click()
  await page.sees('you were logged out everywhere')
  await page.link('Log in').click()
  await page.field('Username or e-mail').fill(alice.username)
  await page.field('Password').fill(NEW)
  await page.button('Log in').click()
  await page.sees('Friends')
  await page.goto(`${parley.url}/reset#${token}`)
  await page.field('New password').fill(PASSWORD)
  await page.button('Set password').click()
  await page.sees('This link has expired or was already used')
  await page.leave()
})

test('a new account confirms its address before it sees anything else', async () => {
  const alice = await registered(parley, 'alice')
  const page = await Page.as(alice)
  await page.sees(`A link is on its way to ${alice.email}`)
  await page.button('I have confirmed it').click()
  await page.sees('The address is not confirmed yet')
  await page.button('Resend confirmation').click()
  await page.sees('A link is on its way to your address')
  const mailed = await page.tab(`/verify#${await mailbox.token(alice.email, VERIFY)}`)
  await mailed.button('Confirm this address').click()
  await mailed.sees('The address is confirmed')
  await page.button('I have confirmed it').click()
  await page.sees('Friends')
  await mailed.leave()
})

test('the settings change the address by a link to the new one', async () => {
  const alice = await person(parley, 'alice')
  const page = await Page.as(alice)
  await page.button('Settings').click()
  await page.button('E-mail').click()
  await page.sees('not confirmed')
  await page.field('New e-mail address').fill(`new.${alice.email}`)
  await page.button('Change address').click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await page.sees('A link is on its way to the new address')
  await page.goto(`${parley.url}/verify#${await mailbox.token(`new.${alice.email}`, CHANGE)}`)
  await page.button('Confirm this address').click()
  await page.link('Continue').click()
  await page.button('Settings').click()
  await page.button('E-mail').click()
  await page.sees(`new.${alice.email} (confirmed)`)
  await page.leave()
})

test('an address that is confirmed while the settings show it is shown confirmed', async () => {
  const alice = await person(parley, 'alice')
  const page = await Page.as(alice)
  expect((await alice.post('/api/auth/email/resend')).status).toBeLessThan(300)
  await page.goto(`/verify#${await mailbox.token(alice.email, VERIFY)}`)
  const release = Promise.withResolvers<void>()
  page.route('**/api/auth/me', (route) => release.promise.then(() => route.continue()))
  await page.button('Confirm this address').click()
  await page.link('Continue').click()
  await page.button('Settings').click()
  await page.button('E-mail').click()
  await page.sees(`${alice.email} (not confirmed)`)
  release.resolve()
  await page.sees(`${alice.email} (confirmed)`)
  await page.leave()
})

test('a login from a new device is shown to the other sessions, which end it', async () => {
  const alice = await person(parley, 'alice')
  const page = await Page.as(alice)
  await page.sees('Friends')
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/151.0' }
  const body = { username: alice.username, password: PASSWORD }
  const { token } = (await call(parley, 'POST', '/api/auth/login', { body, headers })).body
  await page.sees('A new login to your account: Firefox · Windows, from 127.0.0.1')
  await page.button('Settings').click()
  await page.button('Sessions').click()
  const row = page.getByRole('listitem').filter({ hasText: 'Firefox · Windows' })
  await row.getByRole('button', { name: 'End session' }).click()
  await page.misses(row)
  expect((await call(parley, 'GET', '/api/auth/me', { token })).status).toBe(401)
  await page.leave()
})

test('an installation without mail offers none of its functions', async () => {
  const plain = await standard()
  const stranger = await Page.stranger(plain, '/login')
  await stranger.sees('No account yet?')
  await stranger.settle()
  expect(await stranger.link('Forgot your password?').count()).toBe(0)
  await stranger.leave()
  const page = await Page.as(await person(plain, 'alice'))
  await page.button('Settings').click()
  await page.button('Security').waitFor()
  expect(await page.button('E-mail').count()).toBe(0)
  await page.leave()
})
