import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Choice,
  chooseRoute,
  CONNECT_MS_MAX,
  DISCONNECTED_MS_MAX,
  FLAT_MS_MAX,
  type Member,
  type Report,
  type Situation,
} from '../../../src/voice/routing/choose-route.ts'

const NOW = 1_000_000
const P2P: Choice = { route: 'p2p', broken: [] }
const CALM_MS = 30_000

const member = (id: string, more: Partial<Member> = {}): Member => ({
  id,
  presentSince: NOW - 60_000,
  heardSince: NOW - 60_000,
  relay_only: false,
  silenced: false,
  camera_stopped: false,
  server_deaf: false,
  sharing_screen: false,
  camera: false,
  ...more,
})
const healthy = (from: string, to: string, more: Partial<Report> = {}): Report => ({
  from,
  to,
  state: 'connected',
  packets: 50,
  connectedAt: NOW - 59_000,
  downSince: undefined,
  grewAt: NOW - 1000,
  reportedAt: NOW - 1000,
  ...more,
})
const mesh = (...ids: string[]): Report[] =>
  ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => healthy(from, to)))
const situation = (ids: string[], more: Partial<Situation> = {}): Situation => ({
  is_stage: false,
  members: ids.map((id) => member(id)),
  reports: mesh(...ids),
  sfu: true,
  p2p_peers_max: 4,
  calmMs: CALM_MS,
  ...more,
})
const pair = (one: Partial<Member>, reports: Report[]) =>
  situation([], { members: [member('a', one), member('b')], reports })

/** Every reason to take a mesh to the SFU, and for each a situation that just falls short. */
const table: [what: string, situation: Situation, route: string, reason?: string][] = [
  ['nobody', situation([]), 'p2p'],
  ['one alone', situation(['a']), 'p2p'],
  ['two who hear each other', situation(['a', 'b']), 'p2p'],
  ['four', situation(['a', 'b', 'c', 'd']), 'p2p'],
  ['five', situation(['a', 'b', 'c', 'd', 'e']), 'sfu', 'size'],
  ['three where two is the limit', situation(['a', 'b', 'c'], { p2p_peers_max: 2 }), 'sfu', 'size'],
  ['two, one shares', pair({ sharing_screen: true }, mesh('a', 'b')), 'p2p'],
  [
    'three, one shares',
    { ...situation(['a', 'b', 'c']), members: [member('a', { sharing_screen: true }), member('b'), member('c')] },
    'sfu',
    'screen',
  ],
  ['two, one with a camera', pair({ camera: true }, mesh('a', 'b')), 'p2p'],
  [
    'three, one with a camera',
    { ...situation(['a', 'b', 'c']), members: [member('a', { camera: true }), member('b'), member('c')] },
    'sfu',
    'camera',
  ],
  ['one must not be seen', pair({ camera_stopped: true }, mesh('a', 'b')), 'sfu', 'silenced'],
  ['one must not hear', pair({ server_deaf: true }, mesh('a', 'b')), 'sfu', 'silenced'],
  ['one wants a relay', pair({ relay_only: true }, mesh('a', 'b')), 'sfu', 'relay_only'],
  ['one must not be heard', pair({ silenced: true, heardSince: undefined }, mesh('a', 'b')), 'sfu', 'silenced'],
  ['no reports for almost 4 s', pair({ presentSince: NOW - CONNECT_MS_MAX + 1 }, []), 'p2p'],
  ['no reports for 4 s', pair({ presentSince: NOW - CONNECT_MS_MAX }, []), 'sfu', 'no_path'],
  [
    'connecting for 4 s',
    pair({ presentSince: NOW - CONNECT_MS_MAX }, [
      healthy('a', 'b', { state: 'connecting', connectedAt: undefined }),
      healthy('b', 'a', { state: 'new', connectedAt: undefined }),
    ]),
    'sfu',
    'no_path',
  ],
  [
    'failed before it was connected',
    pair({ presentSince: NOW - 1000 }, [healthy('a', 'b', { state: 'failed', connectedAt: undefined })]),
    'sfu',
    'no_path',
  ],
  ['only one of them reports, and is connected', pair({}, [healthy('a', 'b')]), 'p2p'],
  ['no reports, but the socket of one is dead', pair({ presentSince: undefined }, []), 'p2p'],
  [
    'disconnected for almost 2 s',
    pair({}, [healthy('a', 'b', { state: 'disconnected', downSince: NOW - DISCONNECTED_MS_MAX + 1 })]),
    'p2p',
  ],
  [
    'disconnected for 2 s',
    pair({}, [healthy('a', 'b', { state: 'disconnected', downSince: NOW - DISCONNECTED_MS_MAX })]),
    'sfu',
    'path_lost',
  ],
  [
    'connecting anew for 2 s',
    pair({}, [healthy('a', 'b', { state: 'connecting', downSince: NOW - DISCONNECTED_MS_MAX })]),
    'sfu',
    'path_lost',
  ],
  ['failed', pair({}, [healthy('a', 'b', { state: 'failed', downSince: NOW })]), 'sfu', 'path_lost'],
  [
    'disconnected, while the socket of one is dead too',
    pair({ presentSince: undefined }, [healthy('a', 'b', { state: 'disconnected', downSince: NOW - 9000 })]),
    'p2p',
  ],
  ['flat for almost 3 s', pair({}, [healthy('b', 'a', { grewAt: NOW - FLAT_MS_MAX + 1, reportedAt: NOW })]), 'p2p'],
  ['flat for 3 s', pair({}, [healthy('b', 'a', { grewAt: NOW - FLAT_MS_MAX, reportedAt: NOW })]), 'sfu', 'no_audio'],
  [
    'flat, but the sender is muted',
    pair({ heardSince: undefined }, [healthy('b', 'a', { grewAt: NOW - 9000, reportedAt: NOW })]),
    'p2p',
  ],
  [
    'flat, but the sender has just been unmuted',
    pair({ heardSince: NOW - 1000 }, [healthy('b', 'a', { grewAt: NOW - 9000, reportedAt: NOW })]),
    'p2p',
  ],
  [
    'flat as of the last report, which is old',
    pair({}, [healthy('b', 'a', { grewAt: NOW - 9000, reportedAt: NOW - 8000 })]),
    'p2p',
  ],
  [
    'flat since before it was connected',
    pair({}, [healthy('b', 'a', { connectedAt: NOW - 500, grewAt: NOW - 9000, reportedAt: NOW })]),
    'p2p',
  ],
  [
    'the third pair of three',
    { ...situation(['a', 'b', 'c']), reports: [...mesh('a', 'b'), ...mesh('a', 'c')] },
    'sfu',
    'no_path',
  ],
]

for (const [what, input, route, reason] of table)
  test(`a mesh goes over the ${route === 'sfu' ? `SFU (${reason})` : 'peers'}: ${what}`, () => {
    const chosen = chooseRoute(P2P, input, NOW)
    expect([chosen.route, chosen.reason]).toEqual([route as 'p2p', reason as undefined])
    // Without an SFU the room stays a mesh, with TURN.
    expect(chooseRoute(P2P, { ...input, sfu: false }, NOW).route).toBe('p2p')
  })

test('a room leaves the SFU after 30 s without a reason for it, and not before', () => {
  const five = chooseRoute(P2P, situation(['a', 'b', 'c', 'd', 'e']), NOW)
  const four = situation(['a', 'b', 'c', 'd'], { reports: [] })
  const calm = chooseRoute(five, four, NOW + 1000)
  expect(calm).toEqual({ route: 'sfu', reason: 'size', calmSince: NOW + 1000, broken: [] })
  expect(chooseRoute(calm, four, NOW + 1000 + CALM_MS - 1).route).toBe('sfu')
  expect(chooseRoute(calm, four, NOW + 1000 + CALM_MS)).toEqual({ route: 'p2p', reason: 'calm', broken: [] })
})

test('a new reason for the SFU begins the 30 s anew', () => {
  const calm: Choice = { route: 'sfu', reason: 'size', calmSince: NOW, broken: [] }
  const again = chooseRoute(calm, situation(['a', 'b', 'c', 'd', 'e']), NOW + 20_000)
  expect(again.calmSince).toBeUndefined()
  expect(chooseRoute(again, situation(['a', 'b']), NOW + 40_000)).toMatchObject({ calmSince: NOW + 40_000 })
})

test('a pair that found no path keeps its room in the SFU until one of them leaves', () => {
  const lost = chooseRoute(P2P, pair({ presentSince: NOW - 5000 }, []), NOW)
  expect(lost.broken).toEqual([['a', 'b']])
  const later = chooseRoute(lost, situation(['a', 'b', 'c']), NOW + 90_000)
  expect(later).toMatchObject({ route: 'sfu', broken: [['a', 'b']] })
  const afterLeave = chooseRoute(later, situation(['b', 'c']), NOW + 91_000)
  expect(afterLeave).toMatchObject({ route: 'sfu', calmSince: NOW + 91_000, broken: [] })
})

test('a room whose SFU is gone goes back to the mesh at once', () => {
  const sfu: Choice = { route: 'sfu', reason: 'size', broken: [['a', 'b']] }
  const afterLoss = chooseRoute(sfu, situation(['a', 'b'], { sfu: false }), NOW)
  expect(afterLoss).toEqual({ route: 'p2p', reason: 'sfu_gone', broken: [] })
})

test('the same choice made again has the same route, whatever the state of the room', () => {
  const times = fc.integer({ min: NOW - 60_000, max: NOW })
  const aMember = fc.record({
    presentSince: fc.option(times, { nil: undefined }),
    heardSince: fc.option(times, { nil: undefined }),
    relay_only: fc.boolean(),
    silenced: fc.boolean(),
    camera_stopped: fc.boolean(),
    server_deaf: fc.boolean(),
    sharing_screen: fc.boolean(),
    camera: fc.boolean(),
  })
  const members = fc.array(aMember, { maxLength: 7 }).map((list) => list.map((one, at) => ({ id: `${at}`, ...one })))
  fc.assert(
    fc.property(members, fc.boolean(), fc.boolean(), (list, sfu, inSfu) => {
      const input = situation([], { members: list, sfu, reports: mesh(...list.map(({ id }) => id)) })
      const first = chooseRoute(inSfu ? { route: 'sfu', broken: [] } : P2P, input, NOW)
      const second = chooseRoute(first, input, NOW)
      expect(second.route).toBe(first.route)
      if (!sfu) expect(first.route).toBe('p2p')
      if (sfu && list.some((one) => one.silenced || one.camera_stopped || one.server_deaf || one.relay_only))
        expect(first.route).toBe('sfu')
    }),
    { numRuns: 1000 },
  )
})
