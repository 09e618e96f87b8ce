import { expect } from 'bun:test'
import { person, room } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'

const browser = await openBrowser()

/** Counts from now on how often a person begins to speak. @returns the count so far */
async function countSpeech({ page }: Visitor, name: string): Promise<() => Promise<number>> {
  const key = `spoken ${Math.random()}`
  await page.evaluate(
    ([id, who]) => {
      Reflect.set(window, id, 0)
      new MutationObserver((changes) => {
        for (const { target } of changes)
          if (target instanceof Element && target.matches('.participant.speaking') && target.textContent?.includes(who))
            Reflect.set(window, id, Number(Reflect.get(window, id)) + 1)
      }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] })
    },
    [key, name] as const,
  )
  return () => page.evaluate((id) => Number(Reflect.get(window, id)), key)
}

browserTest(
  browser,
  'a microphone is heard while its key is held, or its voice is loud enough, and calls can be joined muted',
  async (chromium) => {
    const parley = await bootCalls()
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id } = await room(ann, ben)
    const voice = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
    const path = `/app/servers/${server_id}/channels/${voice.id}`
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    const set = async (change: object) => {
      await first.page.evaluate((next) => localStorage.setItem('parley.talk', JSON.stringify(next)), change)
      await first.page.reload()
    }
    /** Whether ben hears ann while ann hears ben beep three times. */
    const isHeard = async () => {
      const heard = await countSpeech(second, ann.display_name)
      const beeps = await countSpeech(first, ben.display_name)
      await first.until(async () => (await beeps()) >= 3)
      return (await heard()) > 0
    }
    await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await first.button('Calls').click()
    await first.field('Others hear you').selectOption('voice')
    await first.button('Show how loud I am').click()
    const level = first.page.getByLabel('How loud you are now')
    await first.until(async () => Number(await level.evaluate((bar) => (bar as HTMLMeterElement).value)) > 0.3)
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await first.page.setViewportSize({ width, height })
      expect(await faultsOf(first)).toEqual([])
      await shootThemes(first, `settings-talk-${width}`)
    }
    await first.field('Others hear you').selectOption('push')
    await first.button('ControlRight').click()
    await first.page.keyboard.press('F8')
    await first.sees(first.button('F8'))
    await first.button('Close').click()

    await second.button('Join voice').click()
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participant', { hasText: ann.display_name }))
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    expect(await isHeard()).toBe(false)
    await first.page.keyboard.down('F8')
    await second.sees(second.page.locator('.participants .speaking', { hasText: ann.display_name }))
    await first.page.keyboard.up('F8')
    // What is on its way may still arrive.
    await second.until(async () => !(await isHeard()))
    await first.button('Leave the call').click()

    await set({ mode: 'voice', threshold: 0.1 })
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participants .speaking', { hasText: ann.display_name }))
    await first.button('Leave the call').click()
    await set({ mode: 'voice', threshold: 1 })
    await first.button('Join voice').click()
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    expect(await isHeard()).toBe(false)
    await first.button('Leave the call').click()

    await set({ muted: true })
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participant', { hasText: ann.display_name }).getByLabel('muted'))
    for (const visitor of [first, second]) await visitor.leave()
  },
)
