import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { person, stop } from '../support/harness.ts'
import { bootRelay } from '../support/turn-client.ts'
import { debianProgram } from '../support/debian.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'

const SOUND_MS_MAX = 15_000
const executable = debianProgram('chromium', 'chromium')

/** Runs in the page: two connections with relayed addresses only, one of which sends a beep. */
async function sendBeep(servers: RTCIceServer[], msMax: number) {
  const configuration: RTCConfiguration = { iceServers: servers, iceTransportPolicy: 'relay' }
  const [speaker, listener] = [new RTCPeerConnection(configuration), new RTCPeerConnection(configuration)]
  for (const [from, to] of [
    [speaker, listener],
    [listener, speaker],
  ] as const) {
    from.onicecandidate = ({ candidate }) => {
      if (candidate) void to.addIceCandidate(candidate)
    }
  }
  listener.ontrack = ({ streams: [stream] }) => {
    const element = new Audio()
    element.srcObject = stream ?? null
    void element.play()
  }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  for (const track of stream.getTracks()) speaker.addTrack(track, stream)
  await speaker.setLocalDescription()
  await listener.setRemoteDescription(speaker.localDescription as RTCSessionDescription)
  await listener.setLocalDescription()
  await speaker.setRemoteDescription(listener.localDescription as RTCSessionDescription)
  const deadline = performance.now() + msMax
  let energy = 0
  let pair = ''
  while ((energy < 0.01 || pair === '') && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const stats = [...(await listener.getStats()).values()] as Record<string, any>[]
    energy = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.totalAudioEnergy ?? 0
    const chosen = stats.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
    )
    const of = (id: string) => stats.find((entry) => entry.id === id)
    const local = chosen && of(chosen.localCandidateId)
    if (local) pair = `${local.candidateType} ${local.relayProtocol} ${of(chosen.remoteCandidateId)?.candidateType}`
  }
  speaker.close()
  listener.close()
  return { energy, pair }
}

describe.if(executable !== undefined)('Chromium receives audio only through the TURN server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-relay-'))
  let relay: Parley
  let browser: Browser
  let page: Page
  let servers: RTCIceServer[]

  beforeAll(async () => {
    const [TURN_TLS_KEY, TURN_TLS_CERT] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const command =
      'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost' +
      ' -addext subjectAltName=IP:127.0.0.1'
    Bun.spawnSync([...command.split(' '), '-keyout', TURN_TLS_KEY, '-out', TURN_TLS_CERT])
    const der = Buffer.from((await Bun.file(TURN_TLS_CERT).text()).replaceAll(/-----.*-----|\s/g, ''), 'base64')
    const certificate = new (await import('node:crypto')).X509Certificate(der)
    const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
    const pin = new Bun.CryptoHasher('sha256').update(spki).digest('base64')
    relay = await bootRelay({ TURN_TLS_KEY, TURN_TLS_CERT, TURN_ALLOWED_PEERS: '' })
    const alice = await person(relay, 'alice')
    servers = (await alice.get('/api/voice/ice-servers')).body.ice_servers
    // Chromium trusts the pinned certificate without an authority, for WebRTC too.
    browser = await launchChromium(
      executable as string,
      `--ignore-certificate-errors-spki-list=${pin}`,
      '--ignore-certificate-errors',
    )
    page = await (await browser.newContext()).newPage()
    // Any page of localhost may use the microphone.
    await page.goto(`${relay.url}/healthz`)
  }, BROWSER_MS)
  afterAll(async () => {
    await browser.close()
    await stop(relay)
    rmSync(directory, { recursive: true })
  })

  test.each([
    ['turn: over UDP', /^turn:.*=udp$/, 'udp'],
    ['turn: over TCP', /^turn:.*=tcp$/, 'tcp'],
    ['turns:', /^turns:/, 'tls'],
  ])('%s', async (_name, url, protocol) => {
    const [, turn] = servers
    const only = [{ ...turn, urls: [turn?.urls ?? []].flat().filter((one) => url.test(one)) }]
    expect(only[0]?.urls).toHaveLength(1)
    const { energy, pair } = await page.evaluate(([config, ms]) => (globalThis as any).sendBeep(config, ms), [
      only,
      SOUND_MS_MAX,
    ] as const)
    expect(pair).toBe(`relay ${protocol} relay`)
    expect(energy).toBeGreaterThan(0.001)
  })

  beforeAll(async () => {
    await page.evaluate(`globalThis.sendBeep = ${sendBeep.toString()}`)
  })
})
