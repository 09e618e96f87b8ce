import { expect, test } from 'bun:test'
import { relayedCandidate, relayedSdp, sendsPictures } from '../../../src/voice/signalling/privacy.ts'

const HOST = 'candidate:1 1 udp 2122260223 192.168.7.9 54321 typ host generation 0 ufrag abcd'
const MDNS = 'candidate:1 1 udp 2122260223 5c1fa6f2-aaaa.local 54321 typ host'
const REFLEXIVE = 'candidate:2 1 udp 1686052607 198.51.100.2 54321 typ srflx raddr 192.168.7.9 rport 54321'
const RELAY = 'candidate:3 1 udp 41885695 203.0.113.1 21000 typ relay raddr 198.51.100.2 rport 54321 generation 0'

test('only relayed candidates of a relay_only member pass, without the address behind the relay', () => {
  for (const candidate of [HOST, MDNS, REFLEXIVE, 'nonsense', `${HOST} typ relayed`])
    expect(relayedCandidate(candidate)).toBeUndefined()
  expect(relayedCandidate(RELAY)).toBe(
    'candidate:3 1 udp 41885695 203.0.113.1 21000 typ relay raddr 0.0.0.0 rport 9 generation 0',
  )
  expect(relayedCandidate('')).toBe('')
})

test('descriptions of a relay_only member hold no other address either', () => {
  const lines = (own: string[], from: string) => [
    'v=0',
    `o=- 46117317 2 IN IP4 ${from}`,
    's=-',
    'm=audio 54321 UDP/TLS/RTP/SAVPF 111',
    `c=IN IP4 ${from}`,
    `a=rtcp:54321 IN IP4 ${from}`,
    ...own,
    'a=ice-ufrag:abcd',
    '',
  ]
  const sdp = lines(
    [HOST, REFLEXIVE, RELAY].map((candidate) => `a=${candidate}`),
    '198.51.100.2',
  ).join('\r\n')
  const filteredSdp = relayedSdp(sdp)
  expect(filteredSdp).not.toMatch(/192\.168|198\.51/)
  expect(filteredSdp).toContain('typ relay raddr 0.0.0.0 rport 9')
  expect(filteredSdp.split('\r\n')).toHaveLength(lines([''], '').length)
  expect(relayedSdp('c=IN IP6 2001:db8::7\r\n')).toBe('c=IN IP4 0.0.0.0\r\n')
})

test('a description sends pictures unless its video is refused, received or inactive', () => {
  const sdp = (...media: string[]) =>
    ['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=sendrecv', ...media, ''].join('\r\n')
  expect(sendsPictures(sdp())).toBe(false)
  expect(sendsPictures(sdp('m=video 9 UDP/TLS/RTP/SAVPF 96'))).toBe(true)
  for (const [direction, sends] of [
    ['sendrecv', true],
    ['sendonly', true],
    ['recvonly', false],
    ['inactive', false],
  ] as const)
    expect([direction, sendsPictures(sdp('m=video 9 UDP/TLS/RTP/SAVPF 96', `a=${direction}`))]).toEqual([
      direction,
      sends,
    ])
  expect(sendsPictures(sdp('m=video 0 UDP/TLS/RTP/SAVPF 96', 'a=sendrecv'))).toBe(false)
  const two = ['m=video 9 x 96', 'a=recvonly', 'm=video 9 x 96', 'a=sendonly']
  expect(sendsPictures(sdp(...two))).toBe(true)
  expect(sendsPictures('v=0\na=recvonly\nm=video 9 x 96\n')).toBe(false)
})

test('the session level of a description is read once, not once for each medium', () => {
  const sdp = `${'a=x\n'.repeat(6000)}a=recvonly\n${'m=video 9\n'.repeat(2300)}`
  sendsPictures(sdp)
  const before = process.cpuUsage()
  const sends = Array.from({ length: 10 }, () => sendsPictures(sdp))
  const { user, system } = process.cpuUsage(before)
  expect(sends).not.toContain(true)
  expect((user + system) / 1000).toBeLessThan(200)
})
