import { expect, test } from 'bun:test'
import { type Address, V4, V6 } from '../../../src/turn/protocol/addresses.ts'
import type { Allocation, RelayedAddress, TurnClient } from '../../../src/turn/server/allocation.ts'
import { Allocations } from '../../../src/turn/server/allocations.ts'
import { portShare } from '../../../src/turn/server/quotas.ts'
import { RelayPorts } from '../../../src/turn/server/relay-ports.ts'
import { addressOf } from '../../support/turn-client.ts'

// Time and ports are plain numbers here; sockets are tested elsewhere.
const MINUTE = 60_000

function allocator({ first = 21000, last = 21999, usedPorts = [] as number[], allocations = 40 } = {}) {
  const open = new Set<number>()
  const bind = (family: RelayedAddress['family'], port: number): RelayedAddress | undefined => {
    if (usedPorts.includes(port)) return undefined
    open.add(port)
    return { family, port, send() {}, forward() {}, allowFragmentation() {}, close: () => void open.delete(port) }
  }
  const ports = new RelayPorts([first, last], () => [V4], bind)
  const table = new Allocations(ports, { allocations, bytes_per_s: 1000 })
  let clients = 0
  const client = (): TurnClient => ({
    transport: 'udp',
    address: addressOf('192.0.2.1', 1000 + ++clients),
    table: new Map(),
    send() {},
    forward() {},
  })
  const allocate = (options: Partial<Parameters<typeof table.allocate>[2]> = {}, nowMs = 0, user_id = 1) => {
    const holder = { username: `1:${user_id}`, key: new Uint8Array(16), user_id }
    return table.allocate(client(), holder, { families: [V4], even: false, reserve: false, ...options }, nowMs)
  }
  return { open, ports, table, allocate }
}

const granted = (allocation: Allocation | number): Allocation => {
  if (typeof allocation === 'number') throw new Error(`Refused: ${allocation}`)
  return allocation
}
const peer = addressOf('198.51.100.1', 5000)
const other: Address = addressOf('198.51.100.2', 5000)

test('an allocation lives 600 s by default and an hour at most, and is then gone', () => {
  const { table, allocate, open } = allocator()
  const allocation = granted(allocate())
  // RFC 8656 §7.2, §8.2.
  expect(allocation.setLifetime(undefined, 0)).toBe(600)
  expect([1, 599, 600, 601, 3600, 3601, 0xffffffff].map((wished) => allocation.setLifetime(wished, 0))).toEqual([
    600, 600, 600, 601, 3600, 3600, 3600,
  ])
  allocation.setLifetime(600, 0)
  const { client } = allocation
  expect(table.of(client, 10 * MINUTE - 1)).toBe(allocation)
  expect(table.of(client, 10 * MINUTE)).toBeUndefined()
  expect([open.size, table.all.size]).toEqual([0, 0])
})

test('the sweep ends expired allocations and frees their ports and quota', () => {
  const { table, allocate, open } = allocator({ allocations: 2 })
  for (const allocation of [allocate(), allocate()]) granted(allocation).setLifetime(600, 0)
  expect(allocate()).toBe(486)
  table.sweep(10 * MINUTE - 1)
  expect(open.size).toBe(2)
  table.sweep(10 * MINUTE)
  expect(open.size).toBe(0)
  granted(allocate({}, 10 * MINUTE))
})

test('an allocation ends after 24 hours even when it is refreshed', () => {
  const { allocate } = allocator()
  const allocation = granted(allocate())
  for (let now = 0; now < 24 * 60 * MINUTE; now += 30 * MINUTE) allocation.setLifetime(3600, now)
  expect(allocation.expiresMs).toBe(24 * 60 * MINUTE)
  expect(allocation.setLifetime(3600, 24 * 60 * MINUTE - 5000)).toBe(5)
})

test('a permission lasts 300 s and is refreshed by CreatePermission and ChannelBind, not by traffic', () => {
  const { allocate } = allocator()
  const allocation = granted(allocate())
  allocation.permit(peer, 0)
  expect(allocation.mayReach(peer, 5 * MINUTE - 1)).toBe(true)
  // RFC 8656 §9: a permission covers every port of the address.
  expect(allocation.mayReach({ ...peer, port: 1 }, 0)).toBe(true)
  expect(allocation.mayReach(other, 0)).toBe(false)
  expect(allocation.mayReach(peer, 5 * MINUTE)).toBe(false)
  allocation.permit(peer, 4 * MINUTE)
  expect(allocation.mayReach(peer, 9 * MINUTE - 1)).toBe(true)
  allocation.bind(0x4000, peer, 8 * MINUTE)
  expect(allocation.mayReach(peer, 13 * MINUTE - 1)).toBe(true)
  expect(allocation.mayReach(peer, 13 * MINUTE)).toBe(false)
})

test('a channel binding lasts 600 s and its permission 300 s; a number has one peer and a peer one number', () => {
  const { allocate } = allocator()
  const allocation = granted(allocate())
  // RFC 8656 §12.2.
  expect(allocation.bind(0x4000, peer, 0)).toBeUndefined()
  expect(allocation.bind(0x4000, other, 1)).toBe(400)
  expect(allocation.bind(0x4001, peer, 1)).toBe(400)
  expect(allocation.bind(0x4000, peer, 5 * MINUTE)).toBeUndefined()
  expect(allocation.channels.get(0x4000)?.expiresMs).toBe(15 * MINUTE)
  expect(allocation.channels.get(0x4000)?.permission.expiresMs).toBe(10 * MINUTE)
  allocation.removeExpired(15 * MINUTE - 1)
  expect([allocation.channels.size, allocation.permissions.size]).toEqual([1, 0])
  allocation.removeExpired(15 * MINUTE)
  expect([allocation.channels.size, allocation.channelsByPeer.size]).toEqual([0, 0])
  // An expired number can be bound to another peer before the sweep.
  expect(allocation.bind(0x4000, peer, 20 * MINUTE)).toBeUndefined()
  expect(allocation.bind(0x4000, other, 30 * MINUTE)).toBeUndefined()
  expect(allocation.channelsByPeer.has(peer.key)).toBe(false)
})

test('a channel whose permission expired works again with the next permission', () => {
  const { allocate } = allocator()
  const allocation = granted(allocate())
  allocation.bind(0x4000, peer, 0)
  allocation.removeExpired(6 * MINUTE)
  expect(allocation.mayReach(peer, 6 * MINUTE)).toBe(false)
  allocation.permit({ ...peer, port: 9 }, 6 * MINUTE)
  expect(allocation.channels.get(0x4000)?.permission.expiresMs).toBe(11 * MINUTE)
})

test('a reserved port waits 30 s for the token of its account and counts towards the quota', () => {
  const { ports, table, allocate, open } = allocator({ allocations: 2 })
  const first = granted(allocate({ even: true, reserve: true }))
  const [relay] = first.relays
  expect((relay?.port ?? 1) % 2).toBe(0)
  expect(open.has((relay?.port ?? 0) + 1)).toBe(true)
  const token = ports.lastToken
  expect(allocate()).toBe(486)
  expect(allocate({ token }, 1, 2)).toBe(508)
  const second = granted(allocate({ token }, 29_999))
  expect(second.relays[0]?.port).toBe((relay?.port ?? 0) + 1)
  expect(allocate({ token }, 29_999)).toBe(486)
  table.end(first)
  table.end(second)
  expect(open.size).toBe(0)
  granted(allocate({ even: true, reserve: true }, 60_000))
  expect(allocate({ token: ports.lastToken }, 90_000)).toBe(508)
  table.sweep(90_000)
  expect(open.size).toBe(1)
})

test('an exhausted or occupied port range gives 508, a missing address family 440', () => {
  const few = allocator({ first: 21000, last: 21003 })
  for (let n = 0; n < 4; n++) granted(few.allocate())
  expect(few.allocate()).toBe(508)
  expect(new Set([...few.table.all].map(({ relays }) => relays[0]?.port)).size).toBe(4)
  const crowdedRange = allocator({ first: 21000, last: 21003, usedPorts: [21000, 21001, 21002] })
  expect(granted(crowdedRange.allocate()).relays[0]?.port).toBe(21003)
  expect(crowdedRange.allocate()).toBe(508)
  const odd = allocator({ first: 21001, last: 21001 })
  expect(odd.allocate({ even: true })).toBe(508)
  expect(odd.allocate({ families: [V6] })).toBe(440)
  // A refused request uses no quota.
  for (let n = 0; n < 50; n++) expect(odd.allocate({ even: true, reserve: true })).toBe(508)
  granted(odd.allocate())
})

test('an account relays its bytes per second, with a burst of at most two seconds', () => {
  const { table, allocate } = allocator()
  const allocation = granted(allocate())
  expect([table.charge(allocation, 2000, 0), table.charge(allocation, 1, 0)]).toEqual([true, false])
  expect([table.charge(allocation, 500, 500), table.charge(allocation, 1, 500)]).toEqual([true, false])
  expect([table.charge(allocation, 2001, 60_000), table.charge(allocation, 2000, 60_000)]).toEqual([false, true])
  // A new allocation does not refill the bucket.
  table.end(allocation)
  table.sweep(60_001)
  expect(table.charge(granted(allocate({}, 60_001)), 100, 60_001)).toBe(false)
})

test('an account’s share shrinks as ports get scarce: 25 greedy accounts leave ports to a stranger', () => {
  const { open, allocate } = allocator()
  const greedy = Array.from({ length: 25 }, (_, nth) => nth + 1)
  for (let round = 0; round < 45; round++) for (const user_id of greedy) allocate({}, 0, user_id)
  expect(open.size).toBeLessThan(800)
  expect(greedy.map((user_id) => allocate({}, 0, user_id))).toEqual(Array(25).fill(486))
  const stranger = Array.from({ length: 20 }, () => allocate({}, 0, 99))
  expect(stranger.filter((allocation) => allocation === 486)).toEqual([])
  // Nor does trying again help.
  const before = open.size
  for (const user_id of greedy) allocate({}, 0, user_id)
  expect(open.size).toBe(before)
})

test('the share of ports is the quota while half are free, then shrinks with them, down to four', () => {
  const free = [1000, 500, 499, 250, 60, 1]
  expect(free.map((count) => portShare(count, 1000, 40))).toEqual([40, 40, 39, 20, 4, 4])
  expect(free.map((count) => portShare(count, 1000, 2))).toEqual(Array(6).fill(2))
})
