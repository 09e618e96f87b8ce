import { expect } from 'bun:test'
import { codeOf, nextStep } from '../../factors.ts'
import { newServer, PASSWORD, type Person, person, say } from '../../harness.ts'
import { Visitor } from '../visitor.ts'
import type { Story } from './story.ts'

const openSettings = (visitor: Visitor): Promise<void> =>
  visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()

async function logOut(visitor: Visitor): Promise<void> {
  await openSettings(visitor)
  await visitor.button('Profile').click()
  await visitor.button('Log out').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
}

async function logIn(visitor: Visitor, who: Person): Promise<void> {
  await visitor.field('Username or e-mail').fill(who.username)
  await visitor.field('Password').fill(PASSWORD)
  await visitor.button('Log in').first().click()
}

/** The settings of an account. */
export const settling: Story = {
  claim: 'a new name reaches others at once, and a chosen theme outlives a reload',
  async run(browser, parley) {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [visitor, other] = [await Visitor.as(browser, ann, path), await Visitor.as(browser, ben, path)]
    await openSettings(visitor)
    const name = visitor.field('Display name')
    await name.fill('Ann of the Weir')
    await visitor.page.locator('form', { has: name }).getByRole('button', { name: 'Save' }).click()
    await other.sees(other.page.locator('.members').getByText('Ann of the Weir'))
    await visitor.button('Appearance').click()
    const ground = () => visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await visitor.field('Light').check()
    const light = await ground()
    await visitor.field('Dark').check()
    await visitor.until(async () => (await ground()) !== light)
    const dark = await ground()
    await visitor.button('Close').click()
    await visitor.page.reload()
    await visitor.sees(visitor.page.locator('.beginning'))
    expect(await ground()).toBe(dark)
    for (const each of [visitor, other]) await each.leave()
  },
}

/** A second factor, and the way back in. */
export const provingTwice: Story = {
  claim: 'a person sets up an authenticator app, logs out, and is back with a code from it',
  async run(browser, parley) {
    const ann = await person(parley, 'ann')
    const visitor = await Visitor.as(browser, ann)
    const { page } = visitor
    await openSettings(visitor)
    await visitor.button('Security').click()
    await visitor.button('Set up').click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Continue' }).click()
    const setup = page.getByRole('dialog', { name: 'Authenticator app' })
    await visitor.sees(setup.getByRole('img', { name: 'QR code for the authenticator app' }))
    const secret = ((await setup.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await setup.getByLabel('Then enter the code').fill(codeOf(secret))
    await setup.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await visitor.sees(codes)
    expect(await codes.getByRole('listitem').count()).toBe(10)
    await codes.getByRole('button', { name: 'I have saved them' }).click()
    await visitor.sees(/10 recovery codes left/)
    await visitor.button('Close').click()
    await logOut(visitor)
    await nextStep(ann)
    await logIn(visitor, ann)
    await visitor.field('Code from your authenticator app').fill(codeOf(secret))
    await visitor.button('Log in').click()
    await visitor.sees(/^Welcome, /)
    await visitor.leave()
  },
}

/** The client in a language that is written from the right. */
export const fromTheRight: Story = {
  claim: 'in Arabic the page is written from the right, and a field follows the direction of its text',
  async run(browser, parley) {
    const ann = await person(parley, 'ann')
    const { server_id, channel_id } = await newServer(ann)
    await say(ann, channel_id, 'before')
    const visitor = await Visitor.as(browser, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.message('before'))
    const box = () => visitor.page.locator('.sidebar').boundingBox()
    const left = (await box())?.x ?? 0
    await openSettings(visitor)
    await visitor.button('Appearance').click()
    await visitor.page.locator('label[lang=ar]').click()
    await visitor.until(() =>
      visitor.page.evaluate(() => document.dir === 'rtl' && document.documentElement.lang === 'ar'),
    )
    await visitor.page.reload()
    await visitor.sees(visitor.message('before'))
    expect(await visitor.page.evaluate(() => document.dir)).toBe('rtl')
    expect((await box())?.x ?? 0).toBeGreaterThan(left + 400)
    const direction = () => visitor.composer().evaluate((field) => getComputedStyle(field).direction)
    await visitor.composer().fill('abc')
    expect(await direction()).toBe('ltr')
    await visitor.composer().fill('مرحبا')
    expect(await direction()).toBe('rtl')
    await visitor.composer().press('Enter')
    await visitor.sees(visitor.message('مرحبا'))
    await visitor.leave()
  },
}
