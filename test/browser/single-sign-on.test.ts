import { afterAll, expect } from 'bun:test'
import { turnOn } from '../support/factors.ts'
import { boot, PASSWORD, person, stop } from '../support/harness.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { freePort } from '../support/ports.ts'

// PUBLIC_URL names it before the server has it.
const PORT = String(freePort())
const PUBLIC_URL = `http://localhost:${PORT}`
const provider = await IdentityProvider.open({ redirect_uris: [`${PUBLIC_URL}/api/auth/oidc/callback`] })
const parley = await boot({ PORT, HOST: '127.0.0.1', PUBLIC_URL, ...provider.variables() })
Object.assign(parley, { url: PUBLIC_URL })
afterAll(async () => {
  await stop(parley)
  await provider.close()
})
const browser = await openBrowser()

const entry = (visitor: Visitor) => visitor.page.getByRole('link', { name: 'Log in with Example Org' })

/** Types a name on the provider's page. */
async function enterAs(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.getByLabel('Name').fill(name)
  await visitor.page.getByRole('button', { name: 'Enter' }).click()
}

async function openSettings(visitor: Visitor, section: string): Promise<void> {
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.button(section).click()
}

browserTest(browser, 'a person logs in by the provider, and uses it as proof without a password', async (chromium) => {
  provider.people.set('ann', { email: 'ann@example.org', email_verified: true, name: 'Ann', preferred_username: 'ann' })
  const visitor = await Visitor.stranger(chromium, parley, '/login')
  await entry(visitor).click()
  await enterAs(visitor, 'ann')
  await visitor.sees(visitor.page.getByRole('button', { name: 'Settings', exact: true }))
  await openSettings(visitor, 'Security')
  const identity = visitor.page.getByRole('region', { name: 'Single sign-on' })
  await visitor.sees(identity.getByText('ann', { exact: true }))
  expect(await visitor.page.getByLabel('Current password').count()).toBe(0)
  // Setting the first password needs a proof, which the provider gives; the browser asks no question on leaving.
  visitor.page.on('dialog', (dialog) => void dialog.dismiss())
  await visitor.page.getByLabel('New password').fill(PASSWORD)
  await visitor.button('Change password').click()
  await visitor.page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('button', { name: 'Example Org' })
    .click()
  await enterAs(visitor, 'ann')
  await visitor.sees(/Continue with what you were doing/)
  await visitor.page.getByLabel('New password').fill(PASSWORD)
  await visitor.button('Change password').click()
  await visitor.sees(visitor.page.getByLabel('Current password'))
  await identity.getByRole('button', { name: 'Unlink ann' }).click()
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).last().click()
  await visitor.sees(identity.getByRole('button', { name: 'Link to Example Org' }))
  expect(visitor.faults).toEqual([])
})

browserTest(browser, 'a second factor follows the provider, and refusals are explained', async (chromium) => {
  const bob = await person(parley, 'bob')
  const { recovery_codes } = await turnOn(bob)
  provider.people.set('bob', { email: bob.email, email_verified: true })
  const visitor = await Visitor.stranger(chromium, parley, '/login')
  await entry(visitor).click()
  await enterAs(visitor, 'bob')
  await visitor.sees(/An account here already uses your e-mail address/)
  await parley.parts.sql`update users set email_verified_at = now() where id = ${bob.id}`
  await entry(visitor).click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'One more step' }))
  expect(new URL(visitor.page.url()).hash).toBe('')
  await visitor.button('Use a recovery code').click()
  await visitor.page.getByLabel('Recovery code').fill(recovery_codes[0] ?? '')
  await visitor.button('Log in').first().click()
  await visitor.sees(visitor.page.getByRole('button', { name: 'Settings', exact: true }))
  expect(visitor.faults).toEqual([])
})
