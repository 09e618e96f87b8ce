import { beforeAll, expect } from 'bun:test'
import type { Locator } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { type Person, person, standard } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { voicePair } from '../support/voice-people.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

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

/** Makes a person twice as loud, mutes the person locally, and hears the person again. */
async function hearLouder(first: Visitor, ben: Person): Promise<void> {
  // A gain node amplifies beyond an element's maximum; a local mute affects only one's own sound.
  await first.page.evaluate(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode
    const spy = function (this: AudioNode, to: AudioNode): AudioNode {
      if (this instanceof GainNode) {
        const analyser = this.context.createAnalyser()
        connect.call(this, analyser)
        Reflect.set(window, 'boosted', { analyser, gain: this })
      }
      return connect.call(this, to)
    }
    Object.assign(AudioNode.prototype, { connect: spy })
  })
  /** The level of the graph, and its gain. */
  const boosted = () =>
    first.page.evaluate(() => {
      const found: { analyser: AnalyserNode; gain: GainNode } | undefined = Reflect.get(window, 'boosted')
      const samples = new Float32Array(2048)
      found?.analyser.getFloatTimeDomainData(samples)
      return { by: found?.gain.gain.value, peak: Math.max(...samples), state: found?.gain.context.state }
    })
  await first.button(`Volume and more for ${ben.display_name}`).click()
  await first.field(`Volume of ${ben.display_name}`).fill('2')
  await first.until(async () => (await boosted()).by === 2 && (await boosted()).peak > 0)
  await first.button('Mute for me').click()
  await first.until(async () => (await boosted()).state === 'closed')
  await first.button('Unmute for me').click()
  await first.until(async () => (await boosted()).by === 2 && (await boosted()).peak > 0)
  expect(await faultsOf(first)).toEqual([])
  await first.page.keyboard.press('Escape')
}

/** Mutes by keys, and reassigns them. @param muted the sign that the other sees */
async function useKeys(first: Visitor, second: Visitor, muted: Locator): Promise<void> {
  // Keys mute and deafen, also other ones.
  await first.page.keyboard.press('Control+Shift+KeyM')
  await second.misses(muted)
  await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await first.button('Calls').click()
  await first.button('Mute Ctrl + Shift + M').press('Enter')
  await first.page.keyboard.press('F9')
  await first.button('Deafen Ctrl + Shift + D').press('Enter')
  await first.page.keyboard.press('Backspace')
  await first.sees(first.button('Deafen None'))
  expect(await faultsOf(first)).toEqual([])
  await shootThemes(first, 'settings-keys')
  await first.button('Close').click()
  await first.page.keyboard.press('Control+Shift+KeyD')
  await first.page.keyboard.press('F9')
  await second.sees(muted)
  await first.page.keyboard.press('F9')
  await second.misses(muted)
  expect(await first.button('Undeafen').count()).toBe(0)
}

/** Reports a device change to the page, and waits until it has reopened its microphone. */
async function changeDevices(first: Visitor): Promise<void> {
  // After a device change, the microphone is reopened, and is heard.
  await first.page.evaluate(() => {
    const { mediaDevices } = navigator
    const take = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await take(constraints)
      const streams: unknown[] = Reflect.get(window, 'taken') ?? []
      Reflect.set(window, 'taken', [...streams, constraints?.audio])
      return stream
    }
    mediaDevices.dispatchEvent(new Event('devicechange'))
  })
  await first.page.waitForFunction(() => Reflect.get(window, 'taken'))
}

/** Sends the sound as music, and as speech again; then moves to another channel and back with the same microphone. */
async function playAndMove(first: Visitor, second: Visitor, ann: Person, [here, there]: [string, string]) {
  const streams = () => first.page.evaluate(() => Reflect.get(window, 'taken'))
  await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await first.button('Calls').click()
  await first.field('Music mode').check()
  await first.until(async () => (await streams()).at(-1).channelCount?.ideal === 2)
  expect((await streams()).at(-1)).toMatchObject({ echoCancellation: false, noiseSuppression: false })
  await first.misses(first.field('Noise suppression'))
  expect(await faultsOf(first)).toEqual([])
  await shootThemes(first, 'settings-music')
  await first.field('Music mode').uncheck()
  await first.until(async () => (await streams()).at(-1).echoCancellation === true)
  await first.button('Close').click()

  const person = second.page.locator('.participant', { hasText: ann.display_name })
  const times = (await streams()).length
  await first.link(there).click()
  await first.button('Join voice').click()
  await second.misses(person)
  const call = first.page.getByRole('region', { name: 'Voice call' }).getByRole('link', { name: there })
  await first.sees(call)
  await first.link(here).first().click()
  await first.button('Join voice').click()
  await second.sees(person)
  expect((await streams()).length).toBe(times)
  // Calls are joined muted.
  await second.sees(person.getByLabel('muted'))
  await first.button('Unmute').click()
}

browserTest(
  browser,
  'a microphone is heard while its key is held, or while its voice is loud, and calls can be joined muted',
  async (chromium) => {
    const { ann, ben, server_id, path } = await voicePair(parley)
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    const set = async (change: object) => {
      await first.page.evaluate((next) => localStorage.setItem('parley.talk', JSON.stringify(next)), change)
      await first.page.reload()
    }
    /** Ben hears ann while ann hears ben beep three times. */
    const isHeard = async () => {
      const speechCount = await countSpeech(second, ann.display_name)
      const beeps = await countSpeech(first, ben.display_name)
      await first.until(async () => (await beeps()) >= 3)
      return (await speechCount()) > 0
    }
    await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await first.button('Calls').click()
    await first.field('Input mode').selectOption('voice')
    await first.button('Test mic').click()
    const level = first.page.getByLabel('Input level')
    await first.until(async () => Number(await level.evaluate((bar) => (bar as HTMLMeterElement).value)) > 0.3)
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await first.page.setViewportSize({ width, height })
      expect(await faultsOf(first)).toEqual([])
      await shootThemes(first, `settings-talk-${width}`)
    }
    await first.field('Input mode').selectOption('push')
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
    await first.sees(first.page.locator('.participants .speaking', { hasText: ann.display_name }))
    await first.page.keyboard.up('F8')
    await first.misses(first.page.locator('.participants .speaking', { hasText: ann.display_name }))
    // Packets under way may still arrive.
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
    const muted = second.page.locator('.participant', { hasText: ann.display_name }).getByLabel('muted')
    await second.sees(muted)

    await hearLouder(first, ben)
    await useKeys(first, second, muted)
    await changeDevices(first)
    await second.until(isHeard)
    // Once, although the page has two panels of the call.
    expect(await first.page.evaluate(() => Reflect.get(window, 'taken').length)).toBe(1)
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'Den', type: 'voice' })
    await playAndMove(first, second, ann, ['Hide', 'Den'])
    await second.until(isHeard)
    for (const visitor of [first, second]) await visitor.leave()
  },
)

/** Runs in the page before its scripts: the microphone hears noise, and a voice while `speak(true)`. */
function makeNoise(): void {
  const take = async () => {
    const context = new AudioContext()
    const noise = context.createBuffer(1, context.sampleRate * 2, context.sampleRate)
    const samples = noise.getChannelData(0)
    for (let at = 0; at < samples.length; at++) samples[at] = (Math.random() - 0.5) / 5
    const [source, output] = [context.createBufferSource(), context.createMediaStreamDestination()]
    Object.assign(source, { buffer: noise, loop: true }).connect(output)
    source.start()
    // A vowel that rises and falls: harmonics of a voice, through the formants of an a.
    const [pitch, volume] = [context.createOscillator(), context.createGain()]
    Object.assign(pitch, { type: 'sawtooth' }).frequency.value = 140
    pitch.frequency.setValueCurveAtTime(
      Float32Array.from({ length: 600 }, (_, n) => 140 + 25 * Math.sin(n / 2)),
      0,
      60,
    )
    volume.gain.value = 0
    for (const hertz of [730, 1090, 2440]) {
      const formant = context.createBiquadFilter()
      Object.assign(formant, { type: 'bandpass' }).frequency.value = hertz
      pitch.connect(formant).connect(volume)
    }
    volume.connect(output)
    pitch.start()
    Reflect.set(window, 'speak', (isOn: boolean) => (volume.gain.value = isOn ? 1.5 : 0))
    return output.stream
  }
  navigator.mediaDevices.getUserMedia = take
}

browserTest(
  browser,
  'RNNoise removes the noise from a microphone and leaves the voice, only by files of this server',
  async (chromium) => {
    const ann = await person(await standard(), 'ann')
    const visitor = await Visitor.as(chromium, ann, '/login')
    const { page } = visitor
    await page.addInitScript(makeNoise)
    await page.goto(`${ann.parley.url}/app`)
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.button('Calls').click()
    await visitor.field('Input mode').selectOption('voice')
    const level = async () => page.getByLabel('Input level').evaluate((bar) => (bar as HTMLMeterElement).value)
    const speak = (isOn: boolean) => page.evaluate((is) => Reflect.get(window, 'speak')(is), isOn)
    await visitor.field('Noise suppression').selectOption('off')
    await visitor.button('Test mic').click()
    await visitor.until(async () => (await level()) > 0.5)
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.wasm')).length)
    expect(await loaded()).toBe(0)

    await visitor.field('Noise suppression').selectOption('rnnoise')
    await visitor.button('Test mic').click()
    await visitor.sees(page.getByLabel('Input level'))
    await speak(true)
    await visitor.until(async () => (await level()) > 0.5)
    await speak(false)
    await visitor.until(async () => (await level()) < 0.3)
    await speak(true)
    await visitor.until(async () => (await level()) > 0.5)
    expect(await loaded()).toBe(1)
    await visitor.field('Echo cancellation').uncheck()
    await visitor.field('Automatic gain control').uncheck()
    const settings = await page.evaluate(() => JSON.parse(localStorage.getItem('parley.talk') ?? '{}'))
    expect(settings).toMatchObject({ noise: 'rnnoise', echo: false, gain: false })
    await visitor.leave()
  },
)
