import { beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, person, standard } from '../support/harness.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../support/spawned.ts'

const root = join(import.meta.dir, '../..')
/** The path contains quotes, spaces and characters with a meaning in URLs. */
const clone = mkdtempSync(join(tmpdir(), "o'brien's #1 50%20 clone-"))
const at = (...path: string[]) => join(clone, ...path)

/** Runs a command of the program in the clone. */
async function run(command: string) {
  const child = Bun.spawn([process.execPath, 'src/main.ts', command], { cwd: clone, stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out: out.trim(), error, code }
}
const change = (file: string, of: (text: string) => string) =>
  writeFileSync(at(file), of(readFileSync(at(file), 'utf8')))
const folders = () => readdirSync(at('build')).filter((name) => name !== 'record.json')
const current = (): string => JSON.parse(readFileSync(at('build/record.json'), 'utf8')).folder

beforeAll(() => {
  for (const path of ['src', 'sql', 'docs', 'patches', 'package.json', 'bun.lock', 'tsconfig.json'])
    cpSync(join(root, path), at(path), { recursive: true })
  mkdirSync(at('node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'postgres') symlinkSync(join(root, 'node_modules', name), at('node_modules', name))
  cpSync(join(root, 'node_modules/postgres'), at('node_modules/postgres'), { recursive: true })
})

test(
  'a clone runs its last build, rebuilds after a change of its sources, and keeps the previous build',
  async () => {
    expect(await run('version')).toMatchObject({ code: 0, error: '', out: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    const first = current()
    await run('version')
    expect([current(), folders()]).toEqual([first, [first]])

    change('package.json', (text) => text.replace(/"version": ".*"/, '"version": "99.0.0"'))
    expect(await run('version')).toEqual({ code: 0, error: '', out: '99.0.0' })
    const second = current()
    // A running server may be of the previous build, but not of an older one.
    expect(folders().toSorted()).toEqual([first, second].toSorted())
    for (const name of [first, second]) utimesSync(at('build', name), 0, 0)

    change('src/commands.ts', (text) => text.replace('console.log(VERSION)', "console.log('changed')"))
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    expect(folders().toSorted()).toEqual([second, current()].toSorted())
  },
  SPAWN_MS,
)

test(
  'a build that is not whole, as after a loss of power, is not run, nor is one whose package has changed',
  async () => {
    for (const damage of [
      (path: string) => truncateSync(path),
      (path: string) => rmSync(path),
      () => writeFileSync(at('build/record.json'), '{}'),
      () => writeFileSync(at('build/record.json'), 'null'),
    ]) {
      const before = current()
      damage(at('build', before, 'server/commands.js'))
      expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
      expect(current()).not.toBe(before)
    }
    const before = current()
    change('node_modules/postgres/src/connection.js', (text) => `${text}\n// patched`)
    await run('version')
    expect(current()).not.toBe(before)
  },
  SPAWN_MS,
)

test(
  'no build is kept during which a package changed, for instance by an installation',
  async () => {
    rmSync(at('build'), { recursive: true, force: true })
    const build = Bun.spawn([process.execPath, 'src/cli/build.ts'], { cwd: clone, stderr: 'pipe' })
    const installing = setInterval(() => change('node_modules/postgres/src/connection.js', (text) => `${text} `), 10)
    const output = await new Response(build.stderr).text()
    clearInterval(installing)
    expect(await build.exited).toBe(1)
    expect(output).toContain('The sources changed while they were built.')
    expect(readdirSync(at('build'))).toEqual([])
  },
  SPAWN_MS,
)

/** Root may write everything, unless it drops its capabilities. */
const plainly = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

test(
  'a server says once why it runs from its sources, and one with a build of them does not',
  async () => {
    const started = async () => {
      const elsewhere = { DATA_DIR: at('package.json'), PATH: process.env.PATH ?? '' }
      const command = [...plainly, process.execPath, 'src/main.ts']
      const child = Bun.spawn(command, { cwd: clone, env: elsewhere, stderr: 'pipe' })
      return (await new Response(child.stderr).text()).split('\n').filter((line) => line.includes('build.none'))
    }
    await run('version')
    expect(await started()).toEqual([])
    chmodSync(at('build'), 0o555)
    expect(await started()).toEqual([])
    change('src/commands.ts', (text) => `${text}\n`)
    const [line = '', ...others] = await started()
    expect(others).toEqual([])
    const { level, message } = JSON.parse(line)
    expect(level).toBe('warn')
    expect(message).toBe(
      `Parley runs from its sources, which takes more memory: ${at('build')} has no build of them ` +
        'and cannot be written. Its owner runs: bun run build',
    )
    chmodSync(at('build'), 0o755)
    await run('version')
    expect(await started()).toEqual([])
  },
  SPAWN_MS,
)

test(
  'a clone that cannot make or keep a build runs from its sources, and leaves no partial build',
  async () => {
    rmSync(at('build'), { recursive: true })
    writeFileSync(at('build'), '')
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    rmSync(at('build'))
    symlinkSync(mkdtempSync(join(tmpdir(), 'elsewhere-')), at('build'))
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    expect(folders()).toEqual([])
    rmSync(at('build'))

    change('src/web/main.tsx', (text) => `${text}\nconst = broken`)
    const { code, out, error } = await run('version')
    expect([code, out]).toEqual([0, 'changed'])
    expect(error).toContain('main.tsx')
    expect(folders()).toEqual([])
  },
  SPAWN_MS,
)

test(
  'several starts at once in a new clone all run',
  async () => {
    change('src/web/main.tsx', (text) => text.replace('\nconst = broken', ''))
    const runs = await Promise.all(Array.from({ length: 4 }, () => run('version')))
    expect(runs).toEqual(Array(4).fill({ code: 0, error: '', out: 'changed' }))
    expect(folders()).toContain(current())
  },
  SPAWN_MS,
)

test(
  'people register in a clone with any characters in its path, from a build and from the sources',
  async () => {
    for (const program of ['src/main.ts', 'src/commands.ts']) {
      const { child, parley } = await spawnParley(dataDirectory(), {}, [], [process.execPath, at(program)])
      await person(parley, 'alice')
      const common = { username: 'bob', email: 'bob@example.org', password: 'Password1234!' }
      const { body } = await call(parley, 'POST', '/api/auth/register', { body: common })
      expect(body.errors).toEqual([{ path: 'body.password', message: 'Must not be a common password' }])
      child.kill('SIGTERM')
      await child.exited
    }
  },
  SPAWN_MS,
)

test(
  'processes that were built elsewhere, or run from the sources, serve the same files by the same names',
  async () => {
    const { url } = await standard()
    const program = [process.execPath, at('src/main.ts')]
    const { child, parley } = await spawnParley(dataDirectory(), { NODE_ENV: 'development' }, [], program)
    const text = async (base: string, path: string) => {
      const response = await fetch(base + path)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }
    const [page = '', other] = await Promise.all([parley.url, url].map((base) => text(base, '/')))
    expect(page).toBe(other ?? '')
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(4)
    const script = paths.find((path) => path.startsWith('/assets/main-')) ?? ''
    const parts = [...(await text(url, script)).matchAll(/\/assets\/part-[\w.-]+\.js/g)].map(([path]) => path)
    expect(parts.length).toBeGreaterThan(50)
    for (const path of [...paths, ...parts, '/worker.js', '/client.sha256'])
      expect([path, await text(parley.url, path)]).toEqual([path, await text(url, path)])
    const list = new Bun.SHA256().update(await text(parley.url, '/client.sha256')).digest('hex')
    expect(JSON.parse(await text(parley.url, '/.well-known/parley')).client_hash).toBe(list)
    child.kill('SIGTERM')
    await child.exited
  },
  SPAWN_MS,
)
