import { afterEach, expect, test } from 'bun:test'
import { Device } from 'mediasoup-client'
import * as parameters from 'mediasoup-client/fakeParameters'
import { FakeHandler } from 'mediasoup-client/handlers/FakeHandler'
import type { types } from 'mediasoup-client'
import { Media } from '../../../src/web/voice/media.ts'
import { SfuSession } from '../../../src/web/voice/sfu-session.ts'
import { until } from '../../support/until.ts'

const { device: openDevice } = SfuSession
afterEach(() => void (SfuSession.device = openDevice))

/** A track without a browser. */
const track = (kind: 'audio' | 'video') =>
  Object.assign(new EventTarget(), { id: kind, kind, readyState: 'live', enabled: true, getSettings: () => ({}) })

/**
 * A member's media without a browser: mediasoup-client with its own substitute for one.
 * @param isListener true for a listener of a stage, whose sending transport is opened when it is needed
 */
function listening(isListener = true) {
  const sent: string[] = []
  /** Sent ids of producers, and commands that get no answer because the gateway is offline. */
  const [closed, lost] = [[] as string[], new Set<string>()]
  const tracks = new Map<string, ReturnType<typeof track>>()
  let produced = 0
  /** The ends of the transports, in the order in which they were opened. */
  const handlers: FakeHandler[] = []
  SfuSession.device = () => {
    const { factory, ...rest } = FakeHandler.createFactory(parameters)
    const noted = (options: Parameters<typeof factory>[0]) => {
      const handler = factory(options) as FakeHandler
      handlers.push(handler)
      return handler
    }
    return Device.factory({ handlerFactory: { ...rest, factory: noted } })
  }
  let answerRestart = () => Promise.reject(Object.assign(new Error('No such transport'), { code: 'not_found' }))
  const gateway = {
    command: async (op: string, d: { producer_id?: string } = {}) => {
      sent.push(op)
      if (lost.has(op)) throw new Error('The gateway is offline')
      if (op === 'voice.sfu.produce') return { producer_id: `producer ${++produced}` }
      if (op === 'voice.sfu.close_producer') return closed.push(d.producer_id ?? '')
      if (op === 'voice.sfu.restart_ice') return answerRestart()
      const {
        id: transport_id,
        iceParameters,
        iceCandidates,
        dtlsParameters,
      } = parameters.generateTransportRemoteParameters()
      return {
        transport_id,
        ice_parameters: iceParameters,
        ice_candidates: iceCandidates,
        dtls_parameters: dtlsParameters,
      }
    },
  }
  const faults: unknown[] = []
  const media = new Media(
    gateway as never,
    new Map(),
    { bySource: tracks } as never,
    (fault) => faults.push(fault),
    () => Infinity,
    () => undefined,
    { settings: {}, protect() {} } as never,
    () => isListener,
  )
  const route = (epoch: number) =>
    media.changeRoute({
      route: 'sfu',
      epoch,
      router_rtp_capabilities: parameters.generateRouterRtpCapabilities() as object as Record<string, unknown>,
      producers: [],
    })
  const count = (op: string) => sent.filter((each) => each === op).length
  return {
    media,
    handlers,
    faults,
    route,
    lost,
    closed,
    produced: () => produced,
    /** As the call does it: the track is in the list, or no longer, before the session hears of it. */
    send(source: 'camera' | 'screen', next?: ReturnType<typeof track>) {
      if (next) tracks.set(source, next)
      else tracks.delete(source)
      return media.send(source, next as never)
    },
    count,
    opened: () => count('voice.sfu.create_transport'),
    restarted: () => count('voice.sfu.restart_ice'),
    /** Leaves requests to restart unanswered, until the returned function refuses them. */
    holdRestart() {
      const { promise, reject } = Promise.withResolvers<never>()
      answerRestart = () => promise
      return () => reject(Object.assign(new Error('No such transport'), { code: 'not_found' }))
    },
  }
}

test('a session whose router is gone receives on a new transport', async () => {
  const { media, handlers, faults, route, opened } = listening()
  route(1)
  await until(() => handlers.length === 1)
  handlers[0]!.setConnectionState('disconnected')
  await until(() => handlers.length === 2)
  expect([opened(), faults]).toEqual([2, []])
  media.clear()
})

test('the session with a former router opens nothing when that router ends', async () => {
  const { media, handlers, faults, route, opened, restarted } = listening()
  route(1)
  await until(() => handlers.length === 1)
  route(2)
  await until(() => handlers.length === 2)
  for (const state of ['disconnected', 'failed'] as types.ConnectionState[]) handlers[0]!.setConnectionState(state)
  // The present session still opens one: what the former one sends, it has sent before.
  handlers[1]!.setConnectionState('disconnected')
  await until(() => handlers.length === 3)
  expect([opened(), restarted(), faults]).toEqual([3, 1, []])
  media.clear()
})

test('a session that learns of the end of its router while the next one is opened opens nothing', async () => {
  const { media, handlers, faults, route, opened, restarted, holdRestart } = listening()
  route(1)
  await until(() => handlers.length === 1)
  const refuse = holdRestart()
  handlers[0]!.setConnectionState('disconnected')
  await until(() => restarted() === 1)
  route(2)
  refuse()
  await until(() => handlers.length === 2)
  expect([opened(), restarted(), faults]).toEqual([2, 1, []])
  media.clear()
})

test('a camera whose command was lost is sent once after the gateway has reconnected', async () => {
  const { media, handlers, faults, route, lost, send, produced, count } = listening(false)
  route(1)
  await until(() => handlers.length === 2)
  lost.add('voice.sfu.produce')
  await send('camera', track('video'))
  expect([produced(), faults.length]).toEqual([0, 1])
  lost.clear()
  // The same track again, while it is sent: the gateway has reconnected twice.
  for (let times = 0; times < 2; times++) media.resume()
  await until(() => produced() === 1)
  await send('screen', track('video'))
  expect([produced(), count('voice.sfu.produce'), faults.length]).toEqual([2, 3, 1])
  media.clear()
})

test('a source turned off while the gateway was offline is not sent, and ends on the server', async () => {
  const { media, handlers, faults, route, lost, closed, send, produced, count } = listening(false)
  route(1)
  await until(() => handlers.length === 2)
  await send('camera', track('video'))
  for (const op of ['voice.sfu.produce', 'voice.sfu.close_producer']) lost.add(op)
  // A screen that was never sent, and a camera that was.
  await send('screen', track('video'))
  await send('screen')
  await send('camera')
  expect([closed, produced(), faults.length]).toEqual([[], 1, 1])
  lost.clear()
  media.resume()
  await until(() => closed.length > 0)
  // A later change waits for all before it.
  await send('screen', track('video'))
  media.resume()
  await send('screen')
  expect([closed, produced(), count('voice.sfu.produce')]).toEqual([['producer 1', 'producer 2'], 2, 3])
  media.clear()
})

test('a session that was superseded sends nothing again', async () => {
  const { media, handlers, route, lost, send, produced, opened, count } = listening(false)
  route(1)
  await until(() => handlers.length === 2)
  lost.add('voice.sfu.produce')
  await send('camera', track('video'))
  lost.delete('voice.sfu.produce')
  // The next session is not open yet.
  lost.add('voice.sfu.create_transport')
  route(2)
  await until(() => opened() > 2)
  media.resume()
  // All that a session does without an answer of the network.
  await Bun.sleep(0)
  expect([produced(), count('voice.sfu.produce')]).toEqual([0, 1])
  media.clear()
})
