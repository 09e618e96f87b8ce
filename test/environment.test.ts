import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RefusesToBoot } from '../src/core/errors.ts'
import { redisAddressOf } from '../src/redis/address.ts'
import { readEnvironment, variableNames } from '../src/environment.ts'
import { startParley } from '../src/parley.ts'
import { configurationTables } from './support/configuration.ts'
import { standard } from './support/harness.ts'

const guide = join(import.meta.dir, '../docs/configuration.md')

test('docs/configuration.md holds the printed table of every variable; UPDATE_DOCS=1 renews it', () => {
  const tables = configurationTables()
  const printed = /(<!-- printed from [^>]*-->\n).*(<!-- end of printed tables -->)/s
  const written = readFileSync(guide, 'utf8').replace(printed, (_, begin, end) => `${begin}\n${tables}\n\n${end}`)
  if (process.env.UPDATE_DOCS) writeFileSync(guide, written)
  expect(readFileSync(guide, 'utf8')).toBe(written)
  const named = [...tables.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(variableNames.toSorted())
})

const refusal = (source: Record<string, string | undefined>): string => {
  try {
    readEnvironment(source)
  } catch (error) {
    expect(error).toBeInstanceOf(RefusesToBoot)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(source)} was accepted`)
}

const nonsense: Record<string, string[]> = {
  PORT: ['-1', '65536', '1e3', '0x50', '3000.5', 'http', ' 80', '٣'],
  PUBLIC_URL: [
    'chat.example.org',
    'ftp://chat.example.org',
    'https://',
    'https://a.example/b',
    'https://u:p@a.example',
  ],
  DATABASE_URL: [
    'mysql://localhost/x',
    'localhost',
    '/var/run',
    'postgres://a:5432,b:65536/x',
    'postgres://a,,b/x',
    'postgres://a,b:port/x',
    'postgres://a,b/x?target_session_attrs=read-only',
    'postgres://a/x?target_session_attrs=prefer-standby',
    `postgres://${Array.from({ length: 9 }, (_, n) => `a${n}`).join(',')}/x`,
  ],
  DATABASE_REPLICA_URLS: [
    'replica',
    'postgres://a,b/x',
    'postgres://a/x,mysql://b/x',
    'postgres://a/x?target_session_attrs=standby',
    'postgres:///x?host=/run/postgresql',
    Array.from({ length: 9 }, (_, n) => `postgres://a${n}/x`).join(','),
  ],
  DATABASE_CONNECTIONS: ['0', '1', '201', 'many'],
  REDIS_URL: ['http://localhost', 'localhost:6379'],
  REDIS_CLUSTER: ['yes'],
  REDIS_SENTINELS: ['localhost', 'redis://localhost:26379', 'a:26379,,b:26379', 'a:65536', '[a]:1', 'a:1 b:1'],
  REDIS_MASTER: ['a b', ''.padEnd(65, 'a')],
  STUN_SERVER: ['stun:localhost', 'localhost:port', '[::1]:3478'],
  TRUSTED_PROXIES: ['proxy.example.org', '10.0.0.0/33', '::1/129', '10.0.0.1;10.0.0.2', '*', '10.0.0'],
  CORS_ORIGINS: ['*', 'a.example', 'https://a.example/path', 'https://a.example,*', 'null'],
  RATE_LIMITS: ['yes', 'OFF', '0'],
  REGISTRATION: ['public', 'OPEN'],
  RESUME_WINDOW: ['59', '604801', '1h', '-5'],
  VOICE_P2P_PEERS_MAX: ['0', '9', 'all'],
  VOICE_ROOM_PEERS_MAX: ['1', '501'],
  STAGE_LISTENERS_MAX: ['0', '10001'],
  VOICE_CALM_SECONDS: ['0', '3601'],
  VOICE_RELAY_ONLY: ['yes', 'ON'],
  METRICS_TOKEN: ['short'],
  TURN_PORT: ['-1', '65536', 'on', 'OFF'],
  TURN_TLS_PORT: ['off', '65536'],
  TURN_RELAY_PORTS: ['21000', '21000-', '22000-21000', '80-90', '60000-70000', '1-2-3', 'a-b'],
  TURN_ANNOUNCED_ADDRESS: ['https://turn.example.org', 'a b', '[::1]', '1.1.1.1,2.2.2.2,3.3.3.3,4.4.4.4,5.5.5.5'],
  TURN_ALLOWED_PEERS: ['10.0.0.0/33', 'localhost', '*'],
  TURN_SECRET: ['short'],
  TURN_QUOTA_ALLOCATIONS: ['0', '10001'],
  TURN_QUOTA_BYTES_PER_SECOND: ['999', '1MB'],
  LOG_LEVEL: ['verbose', 'INFO'],
}

for (const [name, values] of Object.entries(nonsense)) {
  test(`${name} refuses nonsense in one sentence that names it and nothing secret`, () => {
    for (const value of values) {
      const message = refusal({ [name]: value })
      expect(message).toStartWith(`${name} is not usable`)
      expect(message).toEndWith('.')
      expect(message).not.toInclude('\n')
      if (name === 'METRICS_TOKEN') expect(message).not.toInclude(value)
    }
  })
}

test('without any variable everything has its default', () => {
  expect(readEnvironment({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    RATE_LIMITS: 'on',
    REGISTRATION: 'open',
    RESUME_WINDOW: 86_400,
    TRUSTED_PROXIES: [],
    CORS_ORIGINS: [],
  })
})

test('an empty variable counts as absent', () => {
  const empty = Object.fromEntries(variableNames.map((name) => [name, '']))
  expect(readEnvironment(empty)).toEqual(readEnvironment({}))
})

test('a certificate without its key, or the other way round, is refused', () => {
  expect(refusal({ TLS_CERT: 'cert.pem' })).toBe('TLS_CERT and TLS_KEY are only usable together.')
  expect(refusal({ TLS_KEY: 'key.pem' })).toBe('TLS_CERT and TLS_KEY are only usable together.')
})

test('Sentinels need the name of what they watch, and do not go with a cluster', () => {
  const REDIS_SENTINELS = 'a:26379,[::1]:26379'
  expect(refusal({ REDIS_SENTINELS })).toBe('REDIS_SENTINELS and REDIS_MASTER are only usable together.')
  expect(refusal({ REDIS_MASTER: 'own' })).toBe('REDIS_SENTINELS and REDIS_MASTER are only usable together.')
  expect(refusal({ REDIS_SENTINELS, REDIS_MASTER: 'own', REDIS_CLUSTER: 'on' })).toStartWith('REDIS_SENTINELS is not')
  expect(redisAddressOf(readEnvironment({ REDIS_SENTINELS, REDIS_MASTER: 'own' }))?.watch?.sentinels).toEqual([
    { host: 'a', port: 26_379 },
    { host: '::1', port: 26_379 },
  ])
})

test('DATABASE_PASSWORD is the password of each host in DATABASE_URL', () => {
  for (const [DATABASE_URL, expected] of [
    ['postgres://parley@a,b:5433/parley', 'postgres://parley:p%40%2C%2F@a,b:5433/parley'],
    [
      'postgresql://parley:old@[::1]:5432/parley?sslmode=require',
      'postgresql://parley:p%40%2C%2F@[::1]:5432/parley?sslmode=require',
    ],
  ] as const)
    expect(readEnvironment({ DATABASE_URL, DATABASE_PASSWORD: 'p@,/' }).DATABASE_URL).toBe(expected)
})

test('replicas have URLs of their own, the same password, and a primary', () => {
  const urls = 'postgres://parley:a%2Cb@one:5433/parley, postgresql://parley@[::1]/parley?sslmode=require'
  expect(refusal({ DATABASE_REPLICA_URLS: urls })).toBe('DATABASE_REPLICA_URLS is only usable with DATABASE_URL.')
  const primary = { DATABASE_URL: 'postgres://parley@zero/parley' }
  expect(readEnvironment({ ...primary }).DATABASE_REPLICA_URLS).toEqual([])
  expect(readEnvironment({ ...primary, DATABASE_REPLICA_URLS: urls }).DATABASE_REPLICA_URLS).toEqual(urls.split(', '))
  expect(
    readEnvironment({ ...primary, DATABASE_REPLICA_URLS: urls, DATABASE_PASSWORD: 'p,' }).DATABASE_REPLICA_URLS,
  ).toEqual(['postgres://parley:p%2C@one:5433/parley', 'postgresql://parley:p%2C@[::1]/parley?sslmode=require'])
})

test('a TURN_PORT inside the relay’s own range of ports is refused', () => {
  expect(refusal({ TURN_PORT: '21999' })).toBe('TURN_PORT is not usable among the TURN_RELAY_PORTS.')
  expect(refusal({ TURN_RELAY_PORTS: '1024-65535' })).toBe('TURN_PORT is not usable among the TURN_RELAY_PORTS.')
  expect(readEnvironment({ TURN_PORT: 'off', TURN_RELAY_PORTS: '1024-65535' }).TURN_PORT).toBe('off')
})

test('lists are split at commas, and origins lose their trailing slash', () => {
  const environment = readEnvironment({
    TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.0.2.7',
    CORS_ORIGINS: 'https://a.example/,http://localhost:5173',
    PUBLIC_URL: 'https://Chat.Example.org:443/',
  })
  expect(environment.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1', '192.0.2.7'])
  expect(environment.CORS_ORIGINS).toEqual(['https://a.example', 'http://localhost:5173'])
  expect(environment.PUBLIC_URL).toBe('https://chat.example.org')
})

test('secrets are taken out of the source, even if the rest is unusable', () => {
  const secrets = {
    DATABASE_URL: 'postgres://parley:secret@localhost/parley',
    REDIS_URL: 'redis://:secret@localhost',
    METRICS_TOKEN: 'a-long-metrics-token',
  }
  const good: Record<string, string> = { ...secrets, PORT: '0' }
  expect(readEnvironment(good)).toMatchObject(secrets)
  expect(good).toEqual({ PORT: '0' })
  const bad: Record<string, string> = { ...secrets, PORT: 'x' }
  expect(refusal(bad)).not.toInclude('secret')
  expect(bad).toEqual({ PORT: 'x' })
})

test('a value that the system refuses keeps the server from starting, in one sentence', async () => {
  const parley = await standard()
  const { DATABASE_URL = '' } = parley.parts.environment
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'data-'))
  const usedPort = new URL(parley.url).port
  const garbage = join(DATA_DIR, 'garbage.pem')
  await Bun.write(garbage, 'not a certificate')
  const cases: [RegExp, Record<string, string>][] = [
    [/^DATA_DIR is not usable: /, { DATA_DIR: garbage }],
    [/^DATABASE_URL is not usable: /, { DATABASE_URL: 'postgres://parley:hunter2@127.0.0.1:1/parley' }],
    [/^PORT \d+ is in use on 127\.0\.0\.1\.$/, { PORT: usedPort }],
    [/^HOST 203\.0\.113\.77 with PORT 0 is not usable: /, { HOST: '203.0.113.77' }],
    [/^TLS_CERT with TLS_KEY is not usable: /, { TLS_CERT: garbage, TLS_KEY: garbage }],
    [/^TLS_CERT with TLS_KEY is not usable: /, { TLS_CERT: `${garbage}.no`, TLS_KEY: garbage }],
  ]
  for (const [sentence, variables] of cases) {
    const environment = readEnvironment({
      PORT: '0',
      TURN_PORT: 'off',
      LOG_LEVEL: 'silent',
      DATA_DIR,
      DATABASE_URL,
      ...variables,
    })
    const error = await startParley(environment).then(
      () => undefined,
      (refused: Error) => refused,
    )
    expect(error).toBeInstanceOf(RefusesToBoot)
    expect(error?.message).toMatch(sentence)
    expect(error?.message).not.toInclude('hunter2')
  }
})
