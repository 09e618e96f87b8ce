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

/** A listener's media without a browser: mediasoup-client with its own substitute for one. */
function listening() {
  const sent: string[] = []
  /** The ends of the transports, in the order in which they were opened. */
  const handlers: FakeHandler[] = []
  SfuSession.device = () => {
    const { factory, ...rest } = FakeHandler.createFactory(parameters)
    const kept = (options: Parameters<typeof factory>[0]) => {
      const handler = factory(options) as FakeHandler
      handlers.push(handler)
      return handler
    }
    return Device.factory({ handlerFactory: { ...rest, factory: kept } })
  }
  let answerRestart = () => Promise.reject(Object.assign(new Error('No such transport'), { code: 'not_found' }))
  const gateway = {
    command: async (op: string) => {
      sent.push(op)
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
    { bySource: new Map() } as never,
    (fault) => faults.push(fault),
    () => Infinity,
    () => undefined,
    { settings: {}, protect() {} } as never,
    () => true,
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
