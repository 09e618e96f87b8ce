import { beforeAll, expect } from 'bun:test'
import { person, stop, until } from '../support/harness.ts'
import { front } from '../support/front.ts'
import { by } from '../support/installation.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { gatewayUrl } from '../support/socket.ts'
import { presentIn, voiceServer } from '../support/voice-people.ts'
import { browserTest, openBrowser } from '../support/browser/visitor.ts'
import { allHear, bootCalls, Caller, gapWhile } from '../support/browser/voice.ts'

const browser = redisProgram ? await openBrowser() : undefined
// On a new machine it is built first, which takes longer than a test may.
beforeAll(mediaWorker, WORKER_MS)

const SEALED = { CALLS_ENCRYPTION: 'preferred' }

for (const [title, variables, options] of [
  ['a direct call', {}, {}],
  ['a call over the SFU', {}, { relay_only: true }],
  ['an encrypted call over the SFU', SEALED, { relay_only: true }],
] as const)
  browserTest(browser, `${title} goes on in another process when its own one drains and ends`, async (chromium) => {
    const redis = await redisServer()
    const next = await bootCalls({ REDIS_URL: redis.url, ...variables })
    const ending = await bootCalls(variables, next)
    await until(() => ending.parts.nodes.others().length === 1)
    const [ann, ben] = [await person(next, 'ann'), await person(next, 'ben')]
    const { channel_id } = await voiceServer(ann, ben)
    const entrance = await front(Number(new URL(ending.url).port))
    const a = await Caller.open(chromium, ann, `${entrance.url.replace('http', 'ws')}/ws?token=${ann.token}`)
    const b = await Caller.open(chromium, ben, gatewayUrl(next, `token=${ben.token}`))
    await a.join(channel_id, options)
    await b.join(channel_id)
    const { route, encryption } = await a.state()
    // On a busy machine, a direct call may have moved to the SFU.
    if ('relay_only' in options) expect(route).toBe('sfu')
    expect(encryption).toBe('CALLS_ENCRYPTION' in variables ? 'sealed' : 'off')
    const pids = ending.sfu.pids()
    entrance.port = Number(new URL(next.url).port)
    const gapMs = await gapWhile([a, b], async () => {
      await ending.drain(new AbortController().signal)
      await stop(ending)
      await until(async () => (await presentIn(by(next, ann), channel_id)).length === 2)
    })
    console.log(`${title}: the longest time without sound was ${Math.round(gapMs)} ms`)
    expect(pids.length).toBe(1)
    await allHear(a, b)
    for (const caller of [a, b])
      await until(async () => {
        const wasMoved = (await caller.seen()).some(({ t }) => t === 'voice.handed_over')
        return wasMoved && (await caller.state()).state === 'connected'
      })
    const states = await Promise.all([a.state(), b.state()])
    for (const [at, caller] of [a, b].entries()) {
      const { id, ended, state } = states[at]!
      expect([id, ended, state]).toEqual([caller.id, undefined, 'connected'])
      const kinds = (await caller.seen()).map(({ t }) => t)
      expect(kinds).toContain('voice.handed_over')
      expect(kinds.filter((t) => ['voice.disconnected', 'voice.peer_left', 'voice.encryption'].includes(t))).toEqual([])
    }
    if ('CALLS_ENCRYPTION' in variables)
      expect(states.map(({ encryption }) => encryption)).toEqual(['sealed', 'sealed'])
    for (const caller of [a, b]) await caller.end()
    entrance.close()
    await stop(next)
  })
