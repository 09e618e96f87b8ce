import { expect, test } from 'bun:test'
import { LossMeter, type PathStats, qualities, qualityOf, pairIn } from '../../../src/web/voice/quality.ts'
import { withOpusOptions } from '../../../src/web/voice/sound-first.ts'

const path = (more: Partial<PathStats> = {}): PathStats => ({
  lostIn: 0,
  lostOut: 0,
  rtt_ms: 20,
  busy: false,
  ...more,
})
const nobody = () => false

test('a connection is good, fair or poor by its loss and its delay, and says why', () => {
  expect(qualityOf(0.01, 0, 40)).toEqual({ level: 'good' })
  expect(qualityOf(0.04, 0.01, 40)).toEqual({ level: 'fair', reason: { what: 'upload', share: 0.04 } })
  expect(qualityOf(0.01, 0.2, 40)).toEqual({ level: 'poor', reason: { what: 'download', share: 0.2 } })
  expect(qualityOf(0, 0, 700)).toEqual({ level: 'poor', reason: { what: 'delay', ms: 700 } })
  expect(qualityOf(0, 0, 20, true)).toEqual({ level: 'fair', reason: { what: 'processor' } })
})

test('loss that all members of a mesh report in one direction is the account’s own loss', () => {
  const all = qualities(
    new Map([
      ['bob', path({ lostOut: 0.04 })],
      ['carol', path({ lostOut: 0.05, lostIn: 0.1 })],
    ]),
    undefined,
    nobody,
  )
  expect(all.get('')).toEqual({ level: 'fair', reason: { what: 'upload', share: 0.04 } })
  expect(all.get('bob')).toEqual({ level: 'good' })
  expect(all.get('carol')).toEqual({ level: 'poor', reason: { what: 'upload', share: 0.1 } })
})

test('over the SFU, a member whose sound is damaged before the SFU causes the loss, else the listener does', () => {
  const paths = new Map([['bob', path({ lostIn: 0.06 })]])
  const own = path({ rtt_ms: 30 })
  const theirs = qualities(paths, own, () => true)
  expect(theirs.get('')?.level).toBe('good')
  expect(theirs.get('bob')).toEqual({ level: 'fair', reason: { what: 'upload', share: 0.06 } })
  const mine = qualities(paths, own, nobody)
  expect(mine.get('')).toEqual({ level: 'fair', reason: { what: 'download', share: 0.06 } })
  expect(mine.get('bob')?.level).toBe('good')
})

test('losses are counted between readings, repaired ones too, and few packets say nothing', () => {
  const meter = new LossMeter()
  const read = (received: number, lost: number, again: number, sent: number, unheard: number) =>
    meter.read('bob', [
      { type: 'inbound-rtp', packetsReceived: received, packetsLost: lost, retransmittedPacketsReceived: again },
      { type: 'outbound-rtp', packetsSent: sent },
      { type: 'remote-inbound-rtp', packetsLost: unheard },
      { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.03 },
    ])
  expect(read(1000, 500, 0, 1000, 300)).toEqual({ lostIn: 0, lostOut: 0, rtt_ms: 30, busy: false })
  expect(read(1020, 510, 0, 1040, 310)).toMatchObject({ lostIn: 0, lostOut: 0 })
  expect(read(1180, 515, 5, 1200, 310)).toMatchObject({ lostIn: 0.1, lostOut: 0.05 })
})

test('a description asks for Opus with FEC, DTX and stereo, and leaves other codecs as they are', () => {
  const sdp = 'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\na=fmtp:96 x=1\r\n'
  const withOptions =
    'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1;usedtx=1;stereo=1\r\na=fmtp:96 x=1\r\n'
  expect(withOpusOptions(sdp)).toBe(withOptions)
  expect(withOpusOptions(withOptions)).toBe(withOptions)
  expect(withOpusOptions('v=0\r\n')).toBe('v=0\r\n')
})

test('the pair of addresses that a connection uses is found in any browser', () => {
  const pair = (id: string, more: object = {}) => ({ id, type: 'candidate-pair', state: 'succeeded', ...more })
  const [earlier, spare] = [pair('earlier', { nominated: true, selected: false }), pair('spare')]
  const used = pair('used', { nominated: true, selected: true })
  expect(pairIn([earlier, spare, used])).toBe(used)
  const transport = { id: 'transport', type: 'transport', selectedCandidatePairId: 'spare' }
  expect(pairIn<Record<string, unknown>>([earlier, spare, used, transport])).toBe(spare)
  expect(pairIn([])).toBeUndefined()
})
