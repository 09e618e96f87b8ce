import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// The style of the house, as far as a test can keep it. The formatter runs before: indentation tells the structure.
const FILE_LINES_MAX = 250
const FUNCTION_LINES_MAX = 50
const COLUMNS_MAX = 120

const root = join(import.meta.dir, '..')
const files = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root })].sort()
const sources = files('src/**/*.{ts,tsx}')
const everything = [...sources, ...files('test/**/*.ts'), ...files('bench/**/*.ts')]
const text = new Map(everything.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const lines = (file: string) => (text.get(file) ?? '').trimEnd().split('\n')
const found = (among: string[], pattern: RegExp) =>
  among.flatMap((file) =>
    lines(file).flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  )

test('no file is longer than 250 lines and no line wider than 120 columns', () => {
  expect(everything.filter((file) => lines(file).length > FILE_LINES_MAX)).toEqual([])
  const wide = (file: string) =>
    lines(file).flatMap((line, at) => (line.length > COLUMNS_MAX ? [`${file}:${at + 1}`] : []))
  expect(everything.flatMap(wide)).toEqual([])
})

/** Lines of each function without those of the functions inside it. */
function functionLengths(file: string): { name: string; own: number }[] {
  const open: { indent: number; name: string; own: number }[] = []
  const closed: { name: string; own: number }[] = []
  lines(file).forEach((line, at) => {
    const indent = line.length - line.trimStart().length
    const innermost = open.at(-1)
    if (innermost) innermost.own++
    if (innermost && indent === innermost.indent && line.trimStart().startsWith('}')) {
      open.pop()
      closed.push(innermost)
    }
    const starts =
      /(=>|\)|\): [^=]+) \{$/.test(line) && !/^\s*(if|for|while|switch|} else|else|catch|} catch)\b/.test(line)
    if (starts) open.push({ indent, name: `${file}:${at + 1}`, own: 0 })
  })
  return closed
}

test('no function is longer than 50 lines of its own', () => {
  const lengths = everything.flatMap(functionLengths)
  expect(lengths.length).toBeGreaterThan(100)
  expect(lengths.filter(({ own }) => own > FUNCTION_LINES_MAX)).toEqual([])
})

/**
 * The rooms in the order in which they may import: each from itself and those before it. The browser's room stands
 * apart: the server builds it and imports nothing of it, and it takes of the server only what the wire is made of.
 */
const ROOMS = ['core', 'adapters', 'features', 'app', 'web']
const roomOf = (file: string) => {
  const [, room = ''] = file.split('/')
  // The environment's shape is known to everyone; what it is read from, to nobody.
  if (file === 'src/environment.ts') return 0
  return ROOMS.includes(room) ? ROOMS.indexOf(room) : ROOMS.indexOf('app')
}

test('imports point one way: core, adapters, features, app', () => {
  const wrong = sources.flatMap((file) =>
    [...(text.get(file) ?? '').matchAll(/from '(\.[^']+)'/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((target) => roomOf(target) > roomOf(file))
      .map((target) => `${file} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('the browser gets types of the wire, and of the server’s code only tables that import nothing', () => {
  const imports = sources
    .filter((file) => file.startsWith('src/web/'))
    .flatMap((file) =>
      [...(text.get(file) ?? '').matchAll(/^import (type )?[^']*'(\.[^']+)'/gm)].map(([, type, path = '']) => {
        return { file, isType: type !== undefined, target: join(dirname(file), path) }
      }),
    )
    .filter(({ target }) => !target.startsWith('src/web/'))
  expect(imports.length).toBeGreaterThan(10)
  const isWire = (target: string) => target.startsWith('src/core/') || /^src\/features\/\w+\/model\.ts$/.test(target)
  const isTable = (target: string) => target.startsWith('src/core/') && !/^import /m.test(text.get(target) ?? 'import ')
  expect(imports.filter(({ isType, target }) => !(isType ? isWire(target) : isTable(target)))).toEqual([])
})

test('nothing is exported that no other file uses', () => {
  const uses = (name: string, file: string) =>
    (text.get(file) ?? '').match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
  const dead = sources.flatMap((file) =>
    [...(text.get(file) ?? '').matchAll(/^export (?:async )?(const|function|class|interface|type) (\w+)/gm)]
      .filter(([, kind, name = '']) => {
        const elsewhere = everything.some((other) => other !== file && uses(name, other) > 0)
        // A type may be what an exported function takes or returns.
        const isType = kind === 'interface' || kind === 'type'
        return !elsewhere && !(isType && uses(name, file) > 1)
      })
      .map(([, , name]) => `${file} ${name}`),
  )
  expect(dead).toEqual([])
})

test('no file has a name that says nothing', () => {
  expect(everything.filter((file) => /^(utils?|helpers?|common|types?|misc)\./.test(basename(file)))).toEqual([])
})

test('no any, no silent non-null, no stray environment', () => {
  expect(found(sources, /^[^*]*(: any\b|as any\b|<any>|any\[\])/)).toEqual([])
  expect(found(sources, /[\w)\]]!(\.|;|,|\)|\[|$)/).filter((line) => !line.includes('//'))).toEqual([])
  const readers = ['src/main.ts', 'src/admin.ts', 'src/doctor.ts', 'src/environment.ts']
  expect(found(sources, /process\.env/).filter((line) => !readers.some((file) => line.startsWith(file)))).toEqual([])
})

test('every test runs', () => {
  expect(found(files('test/**/*.ts'), /\b(test|describe|it)\.(skip|only|todo)\(/)).toEqual([])
})

test('no path of a machine and no host of a registry stands in the project', () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  const machine = new RegExp(['/wor' + 'k/', '/fa' + 'rm/', 'registry\\.np' + 'mjs', 'deb\\.deb' + 'ian'].join('|'))
  const guilty = tracked
    .filter((file) => !/\.(png|svg|lock)$/.test(file) || file === 'bun.lock')
    .filter((file) => machine.test(readFileSync(join(root, file), 'utf8')))
  expect(guilty).toEqual([])
})
