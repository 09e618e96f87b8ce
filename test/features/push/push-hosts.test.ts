import { expect, test } from 'bun:test'
import { hostOf, type Manner, PushHosts } from '../../../src/features/push/push-hosts.ts'

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}.example`)
const mayAsk = (hosts: PushHosts, name: string, nowMs: number) => {
  const { closed, only } = hosts.open(nowMs)
  return !closed.includes(name) && (only === null || only.includes(name))
}
/** Sends to hosts in turn until no send is allowed. @returns the number of sends per host */
function ask(hosts: PushHosts, names: string[], nowMs: number): number[] {
  return names.map((name) => {
    let count = 0
    for (; count < 100 && mayAsk(hosts, name, nowMs); count++) hosts.begin(name)
    return count
  })
}
const answer = (hosts: PushHosts, name: string, count: number, manner: Manner, nowMs: number) => {
  for (let at = 0; at < count; at++) {
    hosts.begin(name)
    hosts.end(name, manner, nowMs)
  }
}
const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0)

test('a new host has one send at once, all new hosts eight, and a reliable host eight of its own', () => {
  const hosts = new PushHosts()
  answer(hosts, 'good.example', 32, 'in time', 0)
  const counts = ask(hosts, names('new', 50), 0)
  expect([Math.max(...counts), sum(counts)]).toEqual([1, 8])
  expect(ask(hosts, ['good.example', 'another.example'], 0)).toEqual([8, 0])
})

test('a late host is paused, longer each time, and has one send at once until it has made up for it', () => {
  const hosts = new PushHosts()
  const pauses: number[] = []
  let nowMs = 0
  for (let time = 0; time < 8; time++) {
    answer(hosts, 'late.example', 1, 'late', nowMs)
    const from = nowMs
    while (!mayAsk(hosts, 'late.example', nowMs)) nowMs += 1_000
    pauses.push((nowMs - from) / 1_000)
  }
  expect(pauses).toEqual([15, 30, 60, 120, 240, 300, 300, 300])
  answer(hosts, 'late.example', 31, 'in time', nowMs)
  expect(ask(hosts, ['late.example'], nowMs)).toEqual([1])
})

test('concurrent late sends of one host count once, and a slow answer pauses nothing', () => {
  const hosts = new PushHosts()
  answer(hosts, 'good.example', 32, 'in time', 0)
  expect(ask(hosts, ['good.example'], 0)).toEqual([8])
  for (let at = 0; at < 8; at++) hosts.end('good.example', 'late', 0)
  expect([mayAsk(hosts, 'good.example', 14_999), mayAsk(hosts, 'good.example', 15_000)]).toEqual([false, true])
  answer(hosts, 'slow.example', 32, 'in time', 0)
  answer(hosts, 'slow.example', 1, 'slow', 0)
  expect(ask(hosts, ['slow.example'], 0)).toEqual([1])
})

test('hosts that were late do not come before new ones', () => {
  const hosts = new PushHosts()
  const late = names('late', 40)
  for (const name of late) answer(hosts, name, 1, 'late', 0)
  expect(sum(ask(hosts, late, 60_000))).toBe(2)
  expect(sum(ask(hosts, names('new', 40), 60_000))).toBe(6)
})

test('endless hosts do not crowd out one that answers in time', () => {
  const hosts = new PushHosts()
  answer(hosts, 'good.example', 32, 'in time', 0)
  for (const name of names('many', 3_000)) answer(hosts, name, 1, 'late', 0)
  expect(hosts.open(0).closed.length).toBeLessThan(1_000)
  expect(ask(hosts, ['good.example'], 0)).toEqual([8])
})

test('the host of an endpoint holds its port', () => {
  expect(hostOf('https://push.example.org/send/1//2')).toBe('push.example.org')
  expect(hostOf('http://127.0.0.1:8080/')).toBe('127.0.0.1:8080')
})
