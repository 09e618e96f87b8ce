import { afterEach, expect, test } from 'bun:test'
import { canEncrypt } from '../../../../src/web/voice/sealing/call-sealing.ts'
import { type DeviceStore, makeDeviceKey } from '../../../../src/web/voice/sealing/device-key.ts'

// Browsers of different ages: Chromium 126 to 140 have only createEncodedStreams, and those below 137 lack a curve.

const { subtle } = crypto
const generateKey = subtle.generateKey.bind(subtle)
afterEach(() => {
  Object.assign(subtle, { generateKey })
  for (const name of ['RTCRtpScriptTransform', 'RTCRtpSender']) Reflect.deleteProperty(globalThis, name)
})

/** A browser with these curves and ways to encoded frames. */
function be(curves: string[], way: 'RTCRtpScriptTransform' | 'createEncodedStreams' | 'none'): void {
  const generate = (algorithm: string, ...others: [boolean, KeyUsage[]]) =>
    curves.includes(algorithm)
      ? generateKey(algorithm, ...others)
      : Promise.reject(new DOMException('Unrecognized name'))
  Object.assign(subtle, { generateKey: generate })
  if (way === 'RTCRtpScriptTransform') Object.assign(globalThis, { RTCRtpScriptTransform: class {} })
  const prototype = way === 'createEncodedStreams' ? { createEncodedStreams() {} } : {}
  Object.assign(globalThis, { RTCRtpSender: { prototype } })
}

const canThis = () =>
  canEncrypt({
    openWorker: () => ({}) as Worker,
    devices: { own: makeDeviceKey } as Partial<DeviceStore> as DeviceStore,
  })

test('a browser encrypts calls by either way to encoded frames', async () => {
  be(['Ed25519', 'X25519'], 'RTCRtpScriptTransform')
  expect(await canThis()).toBe(true)
  Reflect.deleteProperty(globalThis, 'RTCRtpScriptTransform')
  expect(await canThis()).toBe(false)
  be(['Ed25519', 'X25519'], 'createEncodedStreams')
  expect(await canThis()).toBe(true)
})

test('a browser that lacks a curve of the cipher suite says that it cannot encrypt calls', async () => {
  for (const curves of [['Ed25519'], ['X25519'], []]) {
    be(curves, 'RTCRtpScriptTransform')
    expect(await canThis()).toBe(false)
  }
})
