import { beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standard } from '../support/harness.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../support/spawned.ts'

const root = join(import.meta.dir, '../..')
const clone = mkdtempSync(join(tmpdir(), 'clone-'))
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
/** The files of the built server that are there. */
const built = () => readdirSync(at('build/server')).filter((name) => name.endsWith('.js'))

beforeAll(() => {
  for (const path of ['src', 'sql', 'docs', 'patches', 'package.json', 'bun.lock', 'tsconfig.json'])
    cpSync(join(root, path), at(path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), at('node_modules'))
})

test(
  'a clone runs what is built of its sources, anew once they have changed, and keeps the build before that',
  async () => {
    expect(await run('version')).toMatchObject({ code: 0, error: '', out: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    const first = built()
    const record = readFileSync(at('build/record.json'), 'utf8')
    await run('version')
    expect(readFileSync(at('build/record.json'), 'utf8')).toBe(record)

    change('package.json', (text) => text.replace(/"version": ".*"/, '"version": "99.0.0"'))
    expect(await run('version')).toEqual({ code: 0, error: '', out: '99.0.0' })
    const second = built()
    expect(second.length).toBeGreaterThan(first.length)
    expect(second).toEqual(expect.arrayContaining(first))

    change('src/commands.ts', (text) => text.replace('console.log(VERSION)', "console.log('changed')"))
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    // As a machine may leave it that lost its power.
    truncateSync(at('build/server/commands.js'))
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    // A server that runs may be of the build before, not of that before it.
    expect(built().filter((name) => first.includes(name) && !second.includes(name))).toEqual([])
    expect(built().length).toBeLessThanOrEqual(second.length + 1)
  },
  SPAWN_MS,
)

test(
  'where it cannot be built, a clone runs from its sources: no room for the build, and a client that does not build',
  async () => {
    rmSync(at('build'), { recursive: true })
    writeFileSync(at('build'), '')
    expect(await run('version')).toEqual({ code: 0, error: '', out: 'changed' })
    rmSync(at('build'))

    change('src/web/main.tsx', (text) => `${text}\nconst = broken`)
    const { code, out, error } = await run('version')
    expect([code, out]).toEqual([0, 'changed'])
    expect(error).toContain('main.tsx')
  },
  SPAWN_MS,
)

test(
  'several starts at once in a new clone all run',
  async () => {
    change('src/web/main.tsx', (text) => text.replace('\nconst = broken', ''))
    const runs = await Promise.all(Array.from({ length: 4 }, () => run('version')))
    expect(runs).toEqual(Array(4).fill({ code: 0, error: '', out: 'changed' }))
    expect(built()).toContain('commands.js')
  },
  SPAWN_MS,
)

/** Without the hashes: the minifier chooses other names in a process that has built or run something else before. */
const withoutHashes = (page: string) => page.replace(/-[0-9a-z]{8,}\./g, '.')

test(
  'the built program serves the page and the files that the sources do',
  async () => {
    const { url } = await standard()
    const { child, parley } = await spawnParley(dataDirectory())
    const text = async (base: string, path: string) => {
      const response = await fetch(base + path)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }
    const pages = await Promise.all([parley.url, url].map((base) => text(base, '/')))
    expect(withoutHashes(pages[0] ?? '')).toBe(withoutHashes(pages[1] ?? ''))
    const files = async (base: string, page: string) => {
      const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
      const bodies = await Promise.all([...paths, '/worker.js'].map((path) => text(base, path)))
      return bodies.map((body, at) => [withoutHashes(paths[at] ?? 'worker'), body.length])
    }
    const served = await files(parley.url, pages[0] ?? '')
    expect(served.length).toBeGreaterThan(4)
    expect(served).toEqual(await files(url, pages[1] ?? ''))
    child.kill('SIGTERM')
    await child.exited
  },
  SPAWN_MS,
)
