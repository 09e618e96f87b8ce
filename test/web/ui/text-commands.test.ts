import { expect, test } from 'bun:test'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { until } from '../../support/until.ts'

const parley = await standard()

test('a slash offers the text commands, which Tab completes and Enter sends as ordinary messages', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const newest = async () => (await ann.get(`/api/channels/${channel_id}/messages`)).body[0]?.content
  const box = page.composer()
  await box.fill('/')
  for (const name of ['me', 'shrug', 'spoiler', 'tableflip'])
    await page.sees(page.getByRole('option', { name: new RegExp(`^/${name}`) }))
  await box.fill('/ta')
  await page.sees(page.getByRole('option', { name: /tableflip/ }))
  await box.press('Tab')
  await until(async () => (await box.inputValue()) === '/tableflip ')
  await box.press('Enter')
  await until(async () => (await newest()) === '(╯°□°)╯︵ ┻━┻')
  await box.fill('/me waves')
  await box.press('Enter')
  await until(async () => (await newest()) === '_waves_')
  await page.leave()
})

test('density and size of text are kept in the browser', async () => {
  const ann = await person(parley, 'ann')
  const page = await Page.as(ann)
  await page.button('Settings').first().click()
  await page.button('Appearance').click()
  await page.getByRole('radio', { name: 'Compact' }).check()
  const slider = page.getByRole('slider', { name: 'Text size of messages' })
  await slider.apply((element) => void ((element as HTMLInputElement).value = '18'))
  await slider.dispatchEvent('input')
  const looks = () => page.evaluate(() => document.documentElement.className)
  expect(await looks()).toBe('compact text-18')
  await page.goto('/app')
  await page.sees('Conversations')
  expect(await looks()).toBe('compact text-18')
  await page.leave()
})
