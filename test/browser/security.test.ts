import { afterAll, expect } from 'bun:test'
import type { CDPSession } from 'playwright-core'
import { begin, second, turnOn } from '../support/factors.ts'
import { boot, call, PASSWORD, type Person, person, stop } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { freePort } from '../support/ports.ts'

// WebAuthn needs a name, and https or localhost.
// PUBLIC_URL names it before the server has it.
const PORT = String(freePort())
const parley = await boot({ PORT, HOST: '127.0.0.1', PUBLIC_URL: `http://localhost:${PORT}` })
Object.assign(parley, { url: `http://localhost:${PORT}` })
afterAll(() => stop(parley))
const browser = await openBrowser()

/** Chromium's own authenticator in software, which verifies the person. */
async function authenticator(visitor: Visitor): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await visitor.page.context().newCDPSession(visitor.page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

async function openSecurity(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.button('Security').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Authenticator app' }))
}

const logOut = async (visitor: Visitor) => {
  await visitor.button('Profile').click()
  await visitor.button('Log out').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
}

async function logIn(visitor: Visitor, who: Person): Promise<void> {
  await visitor.field('Username or e-mail').fill(who.username)
  await visitor.field('Password').fill(PASSWORD)
  await visitor.button('Log in').first().click()
}

const proof = (visitor: Visitor) => visitor.page.getByRole('dialog', { name: 'Confirm that it is you' })

browserTest(
  browser,
  'a person adds a passkey, names it, proves and logs in by it, and removes it',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const visitor = await Visitor.as(chromium, ann)
    const { cdp, id } = await authenticator(visitor)
    await openSecurity(visitor)
    await visitor.button('Add a passkey').click()
    await visitor.page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name').fill('Laptop')
    await visitor.button('Save').click()
    await proof(visitor).getByLabel('Password').fill(PASSWORD)
    await proof(visitor).getByRole('button', { name: 'Continue' }).click()
    await visitor.sees(visitor.page.getByRole('listitem').getByText('Laptop'))
    await visitor.button('Rename Laptop').click()
    await visitor.page.getByRole('dialog', { name: 'Rename Laptop' }).getByLabel('Name').fill('Desk')
    await visitor.button('Save').click()
    await visitor.sees(visitor.page.getByRole('listitem').getByText('Desk'))
    await logOut(visitor)

    await visitor.button('Log in with a passkey').click()
    await visitor.sees(/^Welcome, /)
    // Another session without a proof.
    await openSecurity(visitor)
    await visitor.button('Remove Desk').click()
    await visitor.page.getByRole('dialog', { name: 'Remove Desk' }).getByRole('button', { name: 'Remove' }).click()
    await proof(visitor).getByRole('button', { name: 'Use a passkey' }).click()
    await visitor.misses(visitor.page.getByRole('listitem').getByText('Desk'))
    expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials).toHaveLength(1)
    await logOut(visitor)
    await visitor.button('Log in with a passkey').click()
    await visitor.sees('This passkey is not accepted')
    await visitor.leave()
  },
)

browserTest(browser, 'a passkey is the second step of a login, and a person logs out everywhere', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { recovery_codes } = await turnOn(ann)
  const visitor = await Visitor.as(chromium, ann)
  await authenticator(visitor)
  await openSecurity(visitor)
  // Turning the app on was the session's proof.
  await visitor.button('Add a passkey').click()
  await visitor.page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name').fill('Laptop')
  await visitor.button('Save').click()
  await visitor.sees(visitor.page.getByRole('listitem').getByText('Laptop'))
  await logOut(visitor)
  await logIn(visitor, ann)
  await visitor.sees(visitor.page.getByRole('heading', { name: 'One more step' }))
  await visitor.button('Use a passkey').click()
  await visitor.sees(/^Welcome, /)

  const other = (await second(ann, await begin(ann), { recovery_code: recovery_codes[0] })).body.token
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.button('Sessions').click()
  await visitor.sees(/this browser · last used/)
  await visitor.button('Log out everywhere').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
  expect((await call(parley, 'GET', '/api/auth/me', { token: other })).status).toBe(401)
  await visitor.leave()
})
