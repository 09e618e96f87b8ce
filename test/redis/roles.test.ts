import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedis } from '../../src/redis/client.ts'
import { until } from '../support/harness.ts'
import { freePort } from '../support/ports.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { selfSigned } from '../support/turn-client.ts'

/** The log lines about a Redis while `isAnswering` is `expected`. */
async function stateOf(url: string, isAnswering: boolean): Promise<unknown[]> {
  const logLines: unknown[] = []
  const link = openRedis(url, 'test', false, (_level, event, fields) => void logLines.push([event, fields?.reason]))
  await until(() => link.isReady() && link.isAnswering() === isAnswering)
  link.stop()
  return logLines
}

const unusable = (reason: string) => ['redis.unusable', reason]

test.skipIf(!redisProgram)(
  'a REDIS_URL that leads to a replica or a sentinel is away, and the log says why',
  async () => {
    const primary = await redisServer()
    expect(await stateOf(primary.url, true)).toEqual([])
    const replica = await redisServer('--replicaof', `127.0.0.1 ${primary.port}`)
    expect(await stateOf(replica.url, false)).toContainEqual(
      unusable('it is a replica, which takes no writes: name the primary'),
    )
    const configuration = join(mkdtempSync(join(tmpdir(), 'sentinel-')), 'conf')
    writeFileSync(configuration, `sentinel monitor own 127.0.0.1 ${primary.port} 1\n`)
    const port = freePort()
    const sentinel = Bun.spawn(
      [redisProgram as string, configuration, '--sentinel', '--port', `${port}`, '--bind', '127.0.0.1'],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    )
    expect(await stateOf(`redis://127.0.0.1:${port}`, false)).toContainEqual(
      unusable('it is a sentinel: name the Redis that it watches'),
    )
    sentinel.kill()
    await sentinel.exited
  },
)

test.skipIf(!redisProgram)('rediss verifies the certificate, by sslrootcert if it is set', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rediss-'))
  const { TURN_TLS_CERT: cert, TURN_TLS_KEY: key } = selfSigned(directory, 'localhost')
  const port = freePort()
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
  const server = Bun.spawn(
    [
      redisProgram as string,
      '--port',
      '0',
      '--tls-port',
      `${port}`,
      '--tls-auth-clients',
      'no',
      ...files,
      '--save',
      '',
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'ignore'] },
  )
  await stateOf(`rediss://localhost:${port}?sslrootcert=${cert}&sslmode=verify-full`, true)
  const logLines: string[] = []
  const untrusted = openRedis(`rediss://localhost:${port}`, 'test', false, (_level, event) => void logLines.push(event))
  await until(() => logLines.includes('redis.away'))
  expect(untrusted.isReady()).toBe(false)
  untrusted.stop()
  const sentence = () => openRedis(`rediss://localhost:${port}?sslmode=disable`, 'test', false, () => {})
  expect(sentence).toThrow('REDIS_URL is not usable')
  server.kill()
  await server.exited
})
