import { afterAll, expect } from 'bun:test'
import { boot, call, PASSWORD, person, registered, standard, stop } from '../support/harness.ts'
import { CHANGE, Mailbox, RESET, VERIFY } from '../support/mailbox.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { freePort } from '../support/redis.ts'

const NEW = 'Other-Horse-77-Battery!'
const mailbox = await Mailbox.open()
const PORT = `${freePort()}`
// Links lead to PUBLIC_URL, where this server listens.
const variables = { ...mailbox.variables(), PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
const parley = await boot({ ...variables, EMAIL_VERIFICATION: 'required' })
const browser = await openBrowser()
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

browserTest(browser, 'a forgotten password is reset from the login page, by the link in the mail', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.stranger(chromium, parley, '/login')
  await visitor.link('Forgot your password?').click()
  await visitor.field('E-mail').fill(alice.email)
  await visitor.button('Send link').click()
  await visitor.sees('If an account has this address')
  const token = await mailbox.token(alice.email, RESET)
  await visitor.page.goto(`${parley.url}/reset#${token}`)
  await visitor.field('New password').fill(NEW)
  expect(visitor.page.url()).toBe(`${parley.url}/reset`)
  await visitor.button('Set password').click()
  await visitor.sees('you were logged out everywhere')
  await visitor.link('Log in').click()
  await visitor.field('Username or e-mail').fill(alice.username)
  await visitor.field('Password').fill(NEW)
  await visitor.button('Log in').click()
  await visitor.sees('Friends')
  await visitor.page.goto(`${parley.url}/reset#${token}`)
  await visitor.field('New password').fill(PASSWORD)
  await visitor.button('Set password').click()
  await visitor.sees('This link has expired or was already used')
  await visitor.leave()
})

browserTest(browser, 'a new account confirms its address before it sees anything else', async (chromium) => {
  const alice = await registered(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice)
  await visitor.sees(`A link is on its way to ${alice.email}`)
  await visitor.button('I have confirmed it').click()
  await visitor.sees('The address is not confirmed yet')
  await visitor.button('Resend confirmation').click()
  await visitor.sees('A link is on its way to your address')
  const mailed = await visitor.tab(`/verify#${await mailbox.token(alice.email, VERIFY)}`)
  await mailed.button('Confirm this address').click()
  await mailed.sees('The address is confirmed')
  await visitor.button('I have confirmed it').click()
  await visitor.sees('Friends')
  await mailed.leave()
})

browserTest(browser, 'the settings change the address by a link to the new one', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice)
  await visitor.button('Settings').click()
  await visitor.button('E-mail').click()
  await visitor.sees('not confirmed')
  await visitor.field('New e-mail address').fill(`new.${alice.email}`)
  await visitor.button('Change address').click()
  const proof = visitor.page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await visitor.sees('A link is on its way to the new address')
  await visitor.page.goto(`${parley.url}/verify#${await mailbox.token(`new.${alice.email}`, CHANGE)}`)
  await visitor.button('Confirm this address').click()
  await visitor.link('Continue').click()
  await visitor.button('Settings').click()
  await visitor.button('E-mail').click()
  await visitor.sees(`new.${alice.email} (confirmed)`)
  await visitor.leave()
})

browserTest(browser, 'a login from a new device is shown to the other sessions, which end it', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice)
  await visitor.sees('Friends')
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/151.0' }
  const body = { username: alice.username, password: PASSWORD }
  const { token } = (await call(parley, 'POST', '/api/auth/login', { body, headers })).body
  await visitor.sees('A new login to your account: Firefox · Windows, from 127.0.0.1')
  await visitor.button('Settings').click()
  await visitor.button('Sessions').click()
  const row = visitor.page.getByRole('listitem').filter({ hasText: 'Firefox · Windows' })
  await row.getByRole('button', { name: 'End session' }).click()
  await visitor.misses(row)
  expect((await call(parley, 'GET', '/api/auth/me', { token })).status).toBe(401)
  await visitor.leave()
})

browserTest(browser, 'an installation without mail offers none of its functions', async (chromium) => {
  const plain = await standard()
  const stranger = await Visitor.stranger(chromium, plain, '/login')
  await stranger.sees('No account yet?')
  await stranger.page.waitForLoadState('networkidle')
  expect(await stranger.link('Forgot your password?').count()).toBe(0)
  await stranger.leave()
  const visitor = await Visitor.as(chromium, await person(plain, 'alice'))
  await visitor.button('Settings').click()
  await visitor.button('Security').waitFor()
  expect(await visitor.button('E-mail').count()).toBe(0)
  await visitor.leave()
})
