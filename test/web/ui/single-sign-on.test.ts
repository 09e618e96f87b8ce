import { afterAll, expect, test } from 'bun:test'
import { boot, person, newServer, stop } from '../../support/harness.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { Page } from '../../support/page.ts'
import { freePort } from '../../support/ports.ts'

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

const entry = (page: Page) => page.getByRole('link', { name: 'Log in with Example Org' })

async function openSettings(page: Page, section: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.button(section).click()
}

test('with passwords off, no page has a form for a password', async () => {
  const { DATABASE_URL = '' } = parley.parts.environment
  const other = await boot({ PUBLIC_URL, ...provider.variables(), PASSWORD_LOGIN: 'off', DATABASE_URL })
  const page = await Page.stranger(other, '/login')
  await page.sees(entry(page))
  await page.misses(page.getByLabel('Password'))
  await page.misses(page.link('Create account'))
  await page.goto(`${other.url}/register`)
  await page.sees(entry(page))
  await page.misses(page.getByLabel('Password'))
  await page.leave()
  await stop(other)
})

test('closed registration, passkeys that are off and single sign-on that is off are offered nowhere', async () => {
  const { DATABASE_URL = '' } = parley.parts.environment
  const plain = await boot({ REGISTRATION: 'closed', DATABASE_URL })
  const ann = await person(plain, 'ann')
  const { server_id } = await newServer(ann)
  const { code } = (await ann.post('/api/invites', { server_id })).body
  const stranger = await Page.stranger(plain, '/login')
  await stranger.sees(stranger.getByLabel('Password'))
  await stranger.misses(stranger.link('Create account'))
  expect(await stranger.button('Log in with a passkey').count()).toBe(0)
  expect(await entry(stranger).count()).toBe(0)
  await stranger.goto(`${plain.url}/register`)
  await stranger.sees('Registration is closed on this server.')
  await stranger.misses(stranger.getByLabel('Password'))
  await stranger.goto(`${plain.url}/invite/${code}`)
  await stranger.sees(stranger.getByRole('heading', { name: 'Birdwatchers' }))
  await stranger.misses(stranger.link('Create account'))
  await stranger.leave()
  const page = await Page.as(ann)
  await openSettings(page, 'Security')
  // Shown once the installation has listed its ways to log in.
  await page.sees(page.getByLabel('Current password'))
  for (const name of ['Passkeys', 'Single sign-on']) expect(await page.getByText(name).count()).toBe(0)
  await page.leave()
  await stop(plain)
})
