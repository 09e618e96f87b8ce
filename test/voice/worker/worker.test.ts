import { afterAll, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnvironment } from '../../../src/environment.ts'
import { obtainWorker } from '../../../src/voice/worker/obtain.ts'
import { archiveName } from '../../../src/voice/worker/prebuilt.ts'
import { testWorker } from '../../../src/voice/worker/self-test.ts'
import { boot, call, stop, until } from '../../support/harness.ts'
import { mediaWorker, WORKER_MS } from '../../support/media-worker.ts'
import { dataDirectory, isAlive, launch, SPAWN_MS, spawnParley } from '../../support/spawned.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-media-'))
afterAll(() => rmSync(root, { recursive: true }))
const directory = () => mkdtempSync(join(root, 'dir-'))
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1/releases'

/** Obtains a worker as the server does, and collects the reported steps. */
function obtain(variables: Record<string, string>, signal = AbortSignal.timeout(60_000)) {
  const steps: string[] = []
  const obtaining = obtainWorker(readEnvironment(variables), { report: (step) => void steps.push(step), signal })
  return { steps, obtaining }
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'It was taken',
    (error: Error) => error.message,
  )

/** A program that imitates a worker. */
function impostor(...lines: string[]): string {
  const path = join(directory(), 'mediasoup-worker')
  writeFileSync(path, ['#!/bin/sh', '[ -n "$MEDIASOUP_VERSION" ] || exit 41', ...lines].join('\n'))
  chmodSync(path, 0o755)
  return path
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isAlive)

/** Reads from /proc of a process; empty if it has ended meanwhile. */
function fromProc(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

const processesOf = (program: string) =>
  processes().filter((pid) => fromProc(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).includes(program))
const processesIn = (place: string) =>
  processes().filter((pid) => fromProc(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(place))

/** A mirror of upstream's releases that has this one file for this machine. */
async function mirror(binary: string) {
  const archive = new Bun.Archive({ 'mediasoup-worker': readFileSync(binary) }, { compress: 'gzip' })
  const bytes = await archive.bytes()
  const requests: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      requests.push(new URL(request.url).pathname)
      return new Response(bytes)
    },
  })
  return { asked: requests, url: `${server.url.origin}/releases`, stop: () => server.stop(true) }
}

test(
  'a worker can be obtained on this machine, and completes a DTLS and SRTP exchange with itself within 2 s',
  async () => {
    const worker = await mediaWorker()
    // The best of three, because other processes may use the processors meanwhile.
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      const startMs = performance.now()
      await testWorker(worker)
      times.push(performance.now() - startMs)
    }
    expect(Math.min(...times)).toBeLessThan(2000)
  },
  WORKER_MS,
)

test('a program that is no worker, dies in use or does nothing is refused', async () => {
  const worker = await mediaWorker()
  expect(await refusal(testWorker(join(root, 'absent')))).toStartWith('It does not start')
  expect(await refusal(testWorker('/bin/true'))).toBe('It does not run here (exit code 0)')
  expect(await refusal(testWorker(impostor('exit 1')))).toStartWith('It does not start')
  expect(await refusal(testWorker(impostor('exec sleep 60')))).toBe('It completed no DTLS and SRTP exchange in 10 s')
  // Like a worker that crashes in a handshake: it starts, answers, and dies a moment later.
  const mortal = impostor(`"${worker}" "$@" & sleep 0.06; kill -9 $!`)
  expect(await refusal(testWorker(mortal))).toMatch(/^It (does not start|died in its first DTLS handshake)/)
})

test('the prebuilt worker is fetched once, kept as an executable, and found again without a network', async () => {
  const upstream = await mirror(await mediaWorker())
  const DATA_DIR = directory()
  const first = obtain({ DATA_DIR, MEDIA_WORKER_URL: upstream.url })
  const outcome = await first.obtaining
  expect(outcome).toStartWith(join(DATA_DIR, 'media', 'mediasoup-worker-'))
  expect(statSync(outcome).mode & 0o777).toBe(0o755)
  const version = /mediasoup-worker-([\d.]+)-/.exec(outcome)?.[1] ?? ''
  expect(upstream.asked).toEqual([`/releases/${version}/${archiveName(version)}`])
  upstream.stop()
  const second = obtain({ DATA_DIR, MEDIA_WORKER_URL: upstream.url })
  expect(await second.obtaining).toBe(outcome)
  expect(second.steps).toEqual([`testing ${outcome}`])
})

test('a kept worker that no longer works is obtained anew', async () => {
  const upstream = await mirror(await mediaWorker())
  const MEDIA_DIR = directory()
  const variables = { MEDIA_DIR, MEDIA_WORKER_URL: upstream.url }
  const outcome = await obtain(variables).obtaining
  writeFileSync(outcome, 'not a program any more')
  const { steps, obtaining } = obtain(variables)
  expect(await obtaining).toBe(outcome)
  expect(steps.join('\n')).toContain('what was kept is of no use')
  expect(upstream.asked).toHaveLength(2)
  await testWorker(outcome)
  upstream.stop()
})

test('two processes that obtain a worker in one directory at once fetch it once', async () => {
  const upstream = await mirror(await mediaWorker())
  const variables = { MEDIA_DIR: directory(), MEDIA_WORKER_URL: upstream.url }
  const [one, two] = await Promise.all([obtain(variables).obtaining, obtain(variables).obtaining])
  expect(one).toBe(two)
  expect(upstream.asked).toHaveLength(1)
  upstream.stop()
})

test(
  'a silent host is given up within seconds, and an aborted build leaves nothing but its log and lock',
  async () => {
    const responses = new Set<PromiseWithResolvers<Response>>()
    const silent = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch() {
        const answer = Promise.withResolvers<Response>()
        responses.add(answer)
        return answer.promise
      },
    })
    const MEDIA_DIR = directory()
    const stopping = new AbortController()
    const startMs = performance.now()
    const { steps, obtaining } = obtain({ MEDIA_DIR, MEDIA_WORKER_URL: silent.url.origin }, stopping.signal)
    await until(() => steps.includes('preparing the sources'))
    expect(performance.now() - startMs).toBeLessThan(20_000)
    await until(() => processesIn(MEDIA_DIR).length > 0)
    stopping.abort(new Error('Not wanted any more'))
    expect(await refusal(obtaining)).toBe('Not wanted any more')
    expect(readdirSync(MEDIA_DIR).sort()).toEqual(['build.log', 'lock'])
    expect(processesIn(MEDIA_DIR)).toEqual([])
    for (const { resolve } of responses) resolve(new Response())
    silent.stop(true)
  },
  SPAWN_MS,
)

test('if nothing can be fetched, built or installed, one sentence says what to install', async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/main.ts'), 'media'], {
    env: { PATH: directory(), MEDIA_DIR: directory(), MEDIA_WORKER_URL: NOWHERE },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()]
  expect(await child.exited).toBe(1)
  expect(out).toStartWith('fetching the prebuilt media worker\nno prebuilt media worker is of use: 127.0.0.1:1 cannot')
  expect(error).toMatch(/^To build the media worker install what is missing: apt-get install meson .*libuv1-dev.*\.\n$/)
})

test('the server is ready at once, names the state of the SFU, and runs without one', async () => {
  const parley = await boot({ MEDIA_WORKER: 'on', MEDIASOUP_WORKER_BIN: await mediaWorker(), SFU_PORT: '0' })
  const ready = await call(parley, 'GET', '/readyz')
  expect([ready.status, ready.body.parts.sfu]).toEqual([200, 'building'])
  await until(async () => (await call(parley, 'GET', '/readyz')).body.parts.sfu === 'ready')
  await stop(parley)

  const without = await boot({ MEDIA_WORKER: 'on', MEDIASOUP_WORKER_BIN: '/bin/true' })
  await until(async () => (await call(without, 'GET', '/readyz')).body.parts.sfu !== 'building')
  const { status, body } = await call(without, 'GET', '/readyz')
  expect([status, body.status]).toEqual([200, 'ok'])
  expect(body.parts.sfu).toBe('MEDIASOUP_WORKER_BIN is not usable: It does not run here (exit code 0)')
  await stop(without)
})

test(
  'a server leaves no worker behind when it is killed or ended',
  async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const data = dataDirectory()
      const binary = join(directory(), `a-worker-for-${signal}`)
      copyFileSync(await mediaWorker(), binary)
      const variables = { MEDIA_WORKER: 'on', MEDIASOUP_WORKER_BIN: binary, SFU_PORT: '0' }
      const { child, parley } = await spawnParley(data, variables)
      await until(async () => (await call(parley, 'GET', '/readyz')).body.parts.sfu === 'ready')
      expect(processesOf(binary)).toHaveLength(1)
      child.kill(signal)
      await child.exited
      await until(() => processesOf(binary).length === 0)
    }
  },
  SPAWN_MS,
)

test(
  'a server that stops while it tests a worker stops in order, and keeps the worker',
  async () => {
    const data = dataDirectory()
    // Its test takes 10 s.
    const silent = impostor('exec sleep 60')
    const { version } = await import('mediasoup')
    const workerPath = join(data, 'media', `mediasoup-worker-${version}-${process.platform}-${process.arch}-1`)
    mkdirSync(join(data, 'media'), { recursive: true })
    copyFileSync(silent, workerPath)
    const variables = { MEDIA_WORKER: 'on', SFU_PORT: '0', MEDIA_WORKER_URL: NOWHERE, LOG_LEVEL: 'info' }
    const child = launch(data, variables)
    const decoder = new TextDecoder()
    let output = ''
    for await (const chunk of child.stdout) {
      output += decoder.decode(chunk)
      if (output.includes('listens on') && output.includes(`testing ${workerPath}`)) break
    }
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(existsSync(workerPath)).toBe(true)
  },
  SPAWN_MS,
)

test('MEDIA_WORKER=off: nothing is fetched, built or started', async () => {
  const parley = await boot({ MEDIA_WORKER: 'off', MEDIA_WORKER_URL: NOWHERE })
  expect((await call(parley, 'GET', '/readyz')).body.parts.sfu).toBe('off')
  expect(existsSync(join(parley.parts.environment.DATA_DIR, 'media'))).toBe(false)
  await stop(parley)
})
