import { beforeAll, expect } from 'bun:test'
import { createConnection, createServer, type AddressInfo } from 'node:net'
import { by, inCommon } from '../support/installation.ts'
import { person, until } from '../support/harness.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { gatewayUrl } from '../support/socket.ts'
import { dataDirectory, spawnParley } from '../support/spawned.ts'
import { presentIn, voiceServer } from '../support/voice-people.ts'
import { browserTest, openBrowser } from '../support/browser/visitor.ts'
import { allHear, bootCalls, Caller, withCalls } from '../support/browser/voice.ts'

const browser = redisProgram ? await openBrowser() : undefined
// On a new machine it is built first, which takes longer than a test may.
beforeAll(mediaWorker, WORKER_MS)

/** A load balancer that passes each connection to the first port that accepts it. */
async function balancer(...ports: number[]): Promise<{ port: number; stop(): void }> {
  const server = createServer((client) => {
    const reach = ([port, ...others]: number[]): void => {
      if (port === undefined) return void client.destroy()
      const upstream = createConnection(port, '127.0.0.1')
      let isConnected = false
      upstream.on('connect', () => {
        isConnected = true
        client.pipe(upstream).pipe(client)
      })
      upstream.on('error', () => (isConnected ? client.destroy() : reach(others)))
      upstream.on('close', () => isConnected && client.destroy())
      client.on('close', () => upstream.destroy())
      client.on('error', () => upstream.destroy())
    }
    reach(ports)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() }
}

const portOf = (url: string): number => Number(new URL(url).port)

for (const [route, options] of [
  ['directly', {}],
  ['over the SFU of one node', { relay_only: true }],
] as const)
  browserTest(
    browser,
    `two people on two nodes hear each other ${route}, and again, by themselves, after one node is killed`,
    async (chromium) => {
      const redis = await redisServer()
      const one = await bootCalls({ REDIS_URL: redis.url })
      const two = await bootCalls({}, one)
      const killedNode = await spawnParley(dataDirectory(), { ...inCommon(one), ...(await withCalls()) })
      const isReady = async () => (await (await fetch(`${killedNode.parley.url}/readyz`)).json()).parts.sfu === 'ready'
      await until(isReady)
      const [ann, ben] = [await person(one, 'ann'), await person(one, 'ben')]
      const { channel_id } = await voiceServer(ann, ben)
      // Ann's node is killed, ben's is not.
      const entrance = await balancer(portOf(killedNode.parley.url), portOf(one.url))
      const url = `ws://127.0.0.1:${entrance.port}/ws?token=${ann.token}`
      const a = await Caller.open(chromium, ann, url)
      const b = await Caller.open(chromium, ben, gatewayUrl(two, `token=${ben.token}`))
      await a.join(channel_id, options)
      await b.join(channel_id)
      await b.mute(true)
      await b.mute(false)
      await allHear(a, b)
      const before = [a.id, b.id]
      await Promise.all([a.listen(), b.listen()])
      const killed = performance.now()
      killedNode.child.kill('SIGKILL')
      const isBack = async (caller: Caller, other: Caller) => {
        const { id, state, peers } = await caller.state()
        caller.id = id
        return state === 'connected' && !before.includes(id) && peers.some((peer) => peer.user_id === other.who.id)
      }
      await until(async () => (await isBack(a, b)) && (await isBack(b, a)))
      const backMs = performance.now() - killed
      await allHear(a, b)
      const heardMs = performance.now() - killed
      console.log(`${route}: in the call again after ${Math.round(backMs)} ms, heard by ${Math.round(heardMs)} ms`)
      const [mine, theirs] = [await a.state(), await b.state()]
      expect([mine.ended, theirs.ended]).toEqual([undefined, undefined])
      expect(mine.route).toBe('relay_only' in options ? 'sfu' : 'p2p')
      for (const node of [one, two])
        await until(async () => {
          const present = await presentIn(by(node, ann), channel_id)
          return present.toSorted().join() === [ann.id, ben.id].toSorted().join()
        })
      for (const caller of [a, b]) await caller.end()
      entrance.stop()
    },
  )
