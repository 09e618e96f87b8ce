import { beforeAll, expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { person } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shoot, shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { stageServer } from '../support/stages.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

browserTest(
  browser,
  'a listener hears a speaker without a microphone, raises a hand, speaks once let up, and is not heard once sent down',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await stageServer(ann, ben)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const first = await Visitor.as(chromium, ann, path)
    const second = await Visitor.as(chromium, ben, path, PHONE)
    await second.page.addInitScript(() => {
      const { mediaDevices } = navigator
      const take = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = (wishes) => {
        Reflect.set(window, 'times', Number(Reflect.get(window, 'times') ?? 0) + 1)
        return take(wishes)
      }
    })
    await second.page.reload()
    const times = () => second.page.evaluate(() => Number(Reflect.get(window, 'times') ?? 0))

    await first.sees('Nobody is speaking yet.')
    await first.button('Start the stage').click()
    await first.field(/^Topic/).fill('Owls at night')
    await first.page.getByRole('button', { name: 'Start', exact: true }).click()
    await second.sees('Owls at night')
    await shoot(first, 'stage-empty')
    await first.button(/^Listen$/).click()
    await first.button(/^Speak$/).click()
    await first.button('Unmute').click()
    await second.button(/^Listen$/).click()
    const speaking = (on: Visitor, name: string) => on.page.locator('.participants .speaking', { hasText: name })
    await second.sees(speaking(second, ann.display_name))
    expect(await times()).toBe(0)
    expect(await second.button('Unmute').count()).toBe(0)
    await first.sees(first.page.locator('.stage-foot').getByText('1 listener'))

    await second.button('Raise your hand').click()
    await second.sees(second.button('Lower your hand'))
    await shoot(second, 'stage-phone-hand')
    const letUp = first.button(`Let ${ben.display_name} speak`)
    await first.sees(letUp)
    expect(await faultsOf(first)).toEqual([])
    await shootThemes(first, 'stage-hands')
    await letUp.click()
    await second.sees(second.button('Step down'))
    await second.button('Unmute').click()
    await first.sees(speaking(first, ben.display_name))
    expect(await times()).toBeGreaterThan(0)
    await shoot(first, 'stage-two')
    await shoot(second, 'stage-phone-speaks')

    const options = first.button(`Volume and more for ${ben.display_name}`)
    await options.click()
    await first.button(`Move ${ben.display_name} to the listeners`).click()
    await first.misses(first.page.locator('.participant', { hasText: ben.display_name }))
    await second.sees(second.button('Raise your hand'))
    await first.page.locator('.stage-foot').getByText('1 listener').click()
    await first.sees(first.page.locator('.audience', { hasText: ben.display_name }))
    await shoot(first, 'stage-audience')
    await first.button(`Invite ${ben.display_name} to speak`).click()
    await second.sees('A moderator invites you to speak.')
    expect(await faultsOf(second)).toEqual([])
    await shoot(second, 'stage-phone-invited')
    await second.button('No, thanks').click()
    await second.sees(second.button('Raise your hand'))
    await first.button('End the stage').click()
    await first.sees(first.button('Start the stage'))
    for (const visitor of [second, first]) await visitor.leave()
  },
)
