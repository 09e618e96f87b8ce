import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeNamespaces } from './reaper.ts'
import { until } from './until.ts'
import { WORKER_MS } from './media-worker.ts'
import { isAlive } from './spawned.ts'

const root = join(import.meta.dir, '../..')
const FIXTURE = './test/support/run/fixtures/leftovers.ts'
const END_MS_MAX = 20_000

/** Contents of a process's file in /proc; undefined if the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** A process and all that descend from it. */
function treeOf(rootPid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  const parents = new Map(pids.map((pid) => [pid, Number(/^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1])]))
  const below = (pid: number): number[] => [pid, ...pids.filter((one) => parents.get(one) === pid).flatMap(below)]
  return below(rootPid)
}

test.skipIf(process.platform !== 'linux').each([
  ['test process', 'alone', ['test', '--timeout=600000', FIXTURE]],
  ['run of tests', 'alone', ['test/run.ts', FIXTURE]],
  ['run of tests', 'with its process group', ['test/run.ts', FIXTURE]],
] as const)(
  'a %s that is killed %s leaves no process and no file behind',
  async (_what, how, command) => {
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: root,
      env: process.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const decoder = new TextDecoder()
    let output = ''
    for await (const chunk of child.stdout) if ((output += decoder.decode(chunk)).includes('all is started')) break
    const started = treeOf(child.pid)
    const names = new Set(started.map((pid) => read(pid, 'comm').trim()))
    for (const name of ['bun', 'postgres', 'mediasoup-worke']) expect([...names].join()).toContain(name)
    const directories = started.flatMap((pid) => /(?:^|\0)TMPDIR=([^\0]+)/.exec(read(pid, 'environ'))?.[1] ?? [])

    process.kill(how === 'alone' ? child.pid : -child.pid, 'SIGKILL')
    await child.exited
    await until(() => !started.some(isAlive), END_MS_MAX).catch(() => {
      const survivors = started.filter(isAlive).map((pid) => read(pid, 'cmdline').replaceAll('\0', ' '))
      throw new Error(`These are left: ${survivors.join('; ')}`)
    })
    const own = (directory: string) => directory !== process.env.TMPDIR
    await until(() => directories.filter(own).every((directory) => !isThere(directory)), END_MS_MAX)
  },
  WORKER_MS,
)

const spaces = () => Bun.spawnSync(['ip', 'netns', 'list']).stdout.toString().split(/\s+/)
const mayMake = () => {
  const isMade = Bun.which('ip') !== null && Bun.spawnSync(['ip', 'netns', 'add', `try-${process.pid}`]).success
  if (isMade) removeNamespaces(`try-${process.pid}`)
  return isMade
}

test.skipIf(!mayMake())('a process that is killed leaves no network namespace behind', async () => {
  const name = `left-${process.pid}`
  const script = `
    import { leaveNoNamespace } from '${import.meta.dir}/reaper.ts'
    leaveNoNamespace('${name}')
    Bun.spawnSync(['ip', 'netns', 'add', '${name}'])
    console.log('made')
    await Bun.sleep(600_000)`
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const _ of child.stdout) break
  expect(spaces()).toContain(name)
  child.kill('SIGKILL')
  await until(() => !spaces().includes(name))
})

function isThere(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0
  } catch {
    return false
  }
}
