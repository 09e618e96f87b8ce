import { afterAll, expect, test } from 'bun:test'
import { codeOf, nextStep } from '../../support/factors.ts'
import { boot, PASSWORD, type Person, person, stop } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { freePort } from '../../support/ports.ts'

// WebAuthn needs a name, and https or localhost.
// PUBLIC_URL names it before the server has it.
const PORT = String(freePort())
const parley = await boot({ PORT, HOST: '127.0.0.1', PUBLIC_URL: `http://localhost:${PORT}` })
Object.assign(parley, { url: `http://localhost:${PORT}` })
afterAll(() => stop(parley))

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.button('Security').click()
  await page.sees(page.getByRole('heading', { name: 'Authenticator app' }))
}

const logOut = async (page: Page) => {
  await page.button('Profile').click()
  await page.button('Log out').click()
  await page.sees(page.getByRole('heading', { name: 'Welcome back' }))
}

async function logIn(page: Page, who: Person): Promise<void> {
  await page.field('Username or e-mail').fill(who.username)
  await page.field('Password').fill(PASSWORD)
  await page.button('Log in').first().click()
}

const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const setup = (page: Page) => page.getByRole('dialog', { name: 'Authenticator app' })

test('a person sets up an authenticator app, saves the recovery codes, and logs in by either', async () => {
  const ann = await person(parley, 'ann')
  const page = await Page.as(ann)
  await openSecurity(page)
  await page.button('Set up').click()
  await proof(page).getByLabel('Password').fill('Wrong-Horse-77!')
  await proof(page).getByRole('button', { name: 'Continue' }).click()
  await page.sees('Wrong password.')
  await proof(page).getByLabel('Password').fill(PASSWORD)
  await proof(page).getByRole('button', { name: 'Continue' }).click()
  await page.sees(setup(page).getByRole('img', { name: 'QR code for the authenticator app' }))
  const secret = (await setup(page).locator('code').innerText()).replaceAll(' ', '')
  await setup(page).getByLabel('Then enter the code').fill(codeOf(secret))
  await setup(page).getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await page.sees(codes)
  const visibleCodes = await codes.getByRole('listitem').allInnerTexts()
  expect(visibleCodes.length).toBe(10)
  const downloading = page.download()
  await codes.getByRole('link', { name: 'Download' }).click()
  const { text: saved } = await downloading
  for (const code of visibleCodes) expect(saved).toInclude(code)
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await page.sees(/10 recovery codes left/)
  // A proof from a moment ago suffices.
  await page.button('New recovery codes').click()
  await page.sees(codes)
  const [recovery = ''] = await codes.getByRole('listitem').allInnerTexts()
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await logOut(page)

  await nextStep(ann)
  await logIn(page, ann)
  await page.field('Code from your authenticator app').fill('000')
  await page.button('Log in').click()
  await page.sees(/Must be 6 digits/)
  await page.field('Code from your authenticator app').fill(codeOf(secret))
  await page.button('Log in').click()
  await page.sees(/^Welcome, /)
  await openSecurity(page)
  await logOut(page)
  await logIn(page, ann)
  await page.button('Use a recovery code').click()
  await page.field('Recovery code').fill(recovery)
  await page.button('Log in').click()
  await page.sees(/^Welcome, /)
  await openSecurity(page)
  await page.sees(/9 recovery codes left/)
  await page.button('Turn off').click()
  await page.getByRole('dialog', { name: 'Turn off' }).getByRole('button', { name: 'Turn off' }).click()
  await nextStep(ann)
  await proof(page).getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await proof(page).getByRole('button', { name: 'Continue' }).click()
  await page.sees('The authenticator app is off')
  await page.leave()
})
