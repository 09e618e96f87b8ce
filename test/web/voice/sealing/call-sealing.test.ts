import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Joined } from '../../../../src/voice/model.ts'
import type { EventFrame } from '../../../../src/web/client/gateway.ts'
import { VoiceCall, type VoiceGateway } from '../../../../src/web/voice/call.ts'
import { type DeviceStore, makeDeviceKey } from '../../../../src/web/voice/sealing/device-key.ts'
import { until } from '../../../support/until.ts'

// A hostile server: it lets a call send plain media, and says afterwards that the call is encrypted.

const BEN = '0'.repeat(32)
const SEALED = { state: 'sealed', group: 'c'.repeat(32) } as const

/** The settings of all connections that were made. */
const connections: object[] = []
const end = (kind: string) => ({ sender: {}, receiver: { track: { kind } } })

/** A connection that never connects. */
class Connection extends EventTarget {
  connectionState = 'new'
  signalingState = 'stable'
  constructor(settings: object) {
    super()
    connections.push(settings)
  }
  addTransceiver = end
  getTransceivers = () => []
  restartIce() {}
  close = () => void (this.connectionState = 'closed')
}

beforeEach(() => {
  connections.length = 0
  Object.assign(globalThis, { RTCPeerConnection: Connection, RTCRtpScriptTransform: class {} })
})
afterEach(() => {
  for (const name of ['RTCPeerConnection', 'RTCRtpScriptTransform']) Reflect.deleteProperty(globalThis, name)
})

/** A call with ben on a server that encrypts nothing at first. @param isAble false for a browser that cannot encrypt */
async function openCall(isAble = true) {
  const workers: { kind: string }[][] = []
  let onReconnected = () => {}
  let [listener, joins] = [(_frame: EventFrame) => {}, 0]
  let encryption: Joined['encryption'] = { state: 'off', group: null }
  const answers: Record<string, () => object> = {
    'voice.join': () => ({
      voice_session_id: `${++joins}`.padStart(32, 'f'),
      user_id: 1,
      channel_id: 3,
      epoch: 1,
      route: 'p2p',
      ice_servers: [],
      producers: [],
      encryption,
      peers: [{ voice_session_id: BEN, user: { id: 2 } }],
    }),
    'voice.resume': () => answers['voice.join']?.() ?? {},
    'voice.device_logs': () => ({ accounts: [], left_out: [] }),
  }
  const gateway = {
    command: async (op: string) => answers[op]?.() ?? {},
    onEvent: (one: typeof listener) => {
      const before = listener
      listener = (frame) => (before(frame), one(frame))
      return () => {}
    },
    onReconnected: (one: () => void) => {
      onReconnected = one
      return () => {}
    },
  } as unknown as VoiceGateway
  const devices = {
    own: makeDeviceKey,
    register: async () => {},
    verifiedKeys: async () => undefined,
    logs: { read: async () => new Map(), replace: async () => [] },
  } satisfies DeviceStore
  const openWorker = () => {
    const messages: { kind: string }[] = []
    workers.push(messages)
    return { postMessage: (message: { kind: string }) => messages.push(message), terminate() {} } as unknown as Worker
  }
  const call = await VoiceCall.join({ gateway, channel_id: 3, ...(isAble && { devices, openWorker }) })
  const say = (next: NonNullable<Joined['encryption']>) => {
    encryption = next
    listener({ t: 'voice.encryption', d: { channel_id: 3, ...next } } as EventFrame)
  }
  /** The gateway connects again, and the server answers the resume with another voice session. */
  const resume = (next: NonNullable<Joined['encryption']>) => {
    encryption = next
    onReconnected()
  }
  return { call, say, resume, workers, joins: () => joins }
}

test('a call whose connections bypass the worker is not shown as encrypted: they are made anew first', async () => {
  const { call, say, workers, joins } = await openCall()
  expect(connections).toHaveLength(1)
  expect(connections[0]).not.toHaveProperty('encodedInsertableStreams')
  say(SEALED)
  expect(call.sealing.state).toBe('off')
  expect(call.sealing.authenticator).toBeUndefined()
  await until(() => call.sealing.state === 'sealed')
  expect(joins()).toBe(2)
  expect(connections).toHaveLength(2)
  expect(connections[1]).toHaveProperty('encodedInsertableStreams', true)
  expect(workers.map((messages) => messages.map(({ kind }) => kind))).toEqual([['sealed']])
  await call.leave()
})

test('a call resumed as another session is not shown as encrypted while connections bypass the worker', async () => {
  const { call, resume } = await openCall()
  resume(SEALED)
  await until(() => call.sealing.state === 'sealed')
  expect(connections).toHaveLength(2)
  expect(connections[1]).toHaveProperty('encodedInsertableStreams', true)
  await call.leave()
})

test('a call that opens and closes goes on with its connections, which all pass the worker', async () => {
  const { call, say, joins } = await openCall()
  say({ state: 'open', group: null, reason: 'member' })
  await until(() => call.sealing.state === 'open')
  say(SEALED)
  expect(call.sealing.state).toBe('sealed')
  say({ state: 'off', group: null })
  say(SEALED)
  expect(call.sealing.state).toBe('sealed')
  expect([joins(), connections.length]).toEqual([2, 2])
  await call.leave()
})

test('a browser that cannot encrypt does not show a call as encrypted, whatever the server says', async () => {
  const { call, say, joins } = await openCall(false)
  say(SEALED)
  expect(call.sealing.state).toBe('open')
  expect(joins()).toBe(1)
  await call.leave()
})
