import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { boot, stop } from './support/harness.ts'
import { SPAWN_MS } from './support/spawned.ts'

const root = join(import.meta.dir, '..')
const documents = ['*.md', 'docs/*.md', 'bench/*.md'].flatMap((pattern) => [
  ...new Bun.Glob(pattern).scanSync({ cwd: root }),
])
const text = (document: string) => readFileSync(join(root, document), 'utf8')
const readme = text('README.md')

test('the README is short, and names the two commands', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(130)
  expect(readme).toContain('bun start')
  expect(readme).toContain('bun run test')
})

test('every command that a document names is a script of package.json', () => {
  const { scripts } = JSON.parse(text('package.json'))
  const named = documents.flatMap((document) =>
    [...text(document).matchAll(/\bbun run (?:--silent )?([a-z:]+)/g)].map(([, script = '']) => ({ document, script })),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([])
})

test('the newest section of the changelog is the version of package.json, and documents name its package', () => {
  const { version } = JSON.parse(text('package.json'))
  expect(/^## (\d+\.\d+\.\d+)/m.exec(text('CHANGELOG.md'))?.[1]).toBe(version)
  const packages = documents.flatMap((document) => text(document).match(/parley-\d+\.\d+\.\d+\.tgz/g) ?? [])
  expect(new Set(packages)).toEqual(new Set([`parley-${version}.tgz`]))
})

test('the changelog has at most 60 entries up to version 0.16.0: one for each thing that a user notices', () => {
  const [, upTo16 = ''] = text('CHANGELOG.md').split(/^(?=## 0\.16\.0)/m)
  const entries = upTo16.match(/^- /gm)?.length ?? 0
  expect(entries).toBeGreaterThan(30)
  expect(entries).toBeLessThanOrEqual(60)
})

/** The anchor of a Markdown heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

test('every link resolves, and every file that a document names exists', () => {
  const isThere = (document: string, target: string): boolean => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? document : join(dirname(document), path)
    if (!existsSync(join(root, file))) return false
    return (
      anchor === undefined || [...text(file).matchAll(/^#+ (.*)$/gm)].some(([, of = '']) => anchorOf(of) === anchor)
    )
  }
  const links = documents.flatMap((document) =>
    [...text(document).matchAll(/(?:\]\(|src=")(?!https?:|\/)([^)"\s]+)/g)].map(([, target = '']) => ({
      document,
      target,
    })),
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(({ document, target }) => !isThere(document, target))).toEqual([])
  // The changelog may also name files that were moved since.
  const present = documents.filter((document) => document !== 'CHANGELOG.md')
  const paths = present.flatMap((document) =>
    [...text(document).matchAll(/(?<![\w/])(?:src|test|sql|docs|bench)\/[\w./-]*\w/g)].map(([path]) => ({
      document,
      path,
    })),
  )
  expect(paths.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

/**
 * Replaces wscat: prints messages until the expected one arrives, and writes a file when alice's presence has arrived.
 * When the machine is so busy that her handshake takes longer than an arrival waits, only `ready` has her presence.
 */
const LISTENER = `const socket = new WebSocket(process.env.LISTEN)
const write = () => Bun.write(process.env.ONLINE, 'yes')
socket.onmessage = ({ data }) => {
  console.log(data)
  if (data.includes('"synced"')) setTimeout(write, 3000)
  if (data.includes('"presence.updated"')) write()
  if (data.includes('"message.created"')) process.exit(0)
}`

test(
  'the five lines of the README work as it says',
  async () => {
    const parley = await boot()
    const [, lines = ''] = /```sh\n(API=.*?)```/s.exec(readme) ?? []
    const functions =
      'bun() { "$BUN" "$@"; }; bunx() { LISTEN="$3" "$BUN" -e "$LISTENER"; }; ' +
      'sleep() { until [ -e "$ONLINE" ] || ! kill -0 $$; do command sleep 0.1; done; }'
    const script = `${functions}\n${lines.replaceAll('localhost:3000', new URL(parley.url).host)}`
    const { PATH = '' } = process.env
    const child = Bun.spawn(['bash', '-c', script], {
      env: { PATH, BUN: process.execPath, LISTENER, ONLINE: join(parley.parts.environment.DATA_DIR, 'online') },
      stderr: 'pipe',
      timeout: SPAWN_MS * 0.75,
    })
    const received = (await new Response(child.stdout).text()).trim().split('\n')
    expect(await new Response(child.stderr).text()).toBe('')
    const frames = received.map((line) => JSON.parse(line))
    expect(frames[0].d.presences).toEqual([{ user_id: frames[0].d.user.id, status: 'online' }])
    expect(frames.map(({ t }) => t).filter((t) => t !== 'presence.updated')).toEqual([
      'ready',
      'server.snapshot',
      'synced',
      'message.created',
    ])
    expect(frames.at(-1).d.content).toBe('A kingfisher!')
    await stop(parley)
  },
  SPAWN_MS,
)
