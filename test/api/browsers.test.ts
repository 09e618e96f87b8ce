import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bcd, { type BrowserName, type CompatStatement, type Identifier } from '@mdn/browser-compat-data'
import { BROWSERS, EXTRAS, NEEDED, oldBrowserScript, sinceWhen } from '../../src/api/browsers.ts'
import { MANIFEST_WORDS } from '../../src/api/web-manifest.ts'

const root = join(import.meta.dir, '../..')
const guide = join(root, 'docs/browsers.md')
const names = Object.keys(BROWSERS) as BrowserName[]
const least = sinceWhen(NEEDED)
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = (...patterns: string[]) =>
  patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]).toSorted()

/** MDN's data of a feature. */
const statementOf = (key: string): CompatStatement | undefined => {
  let at: Identifier | undefined = bcd as unknown as Identifier
  for (const part of key.split('.')) at = at?.[part]
  return at?.__compat
}

/** The first version with the whole feature, by default and without a prefix unless that is allowed. */
function sinceIn({ support }: CompatStatement, browser: BrowserName, prefix?: string): number | null {
  const statements = [support[browser] ?? []].flat()
  const versions = statements
    .filter(({ flags, partial_implementation: isPartly, alternative_name: name }) => !flags && !isPartly && !name)
    .filter((each) => !each.prefix || each.prefix === prefix)
    .map(({ version_added }) => Number.parseFloat(String(version_added).replace('≤', '')))
    .filter((each) => !Number.isNaN(each))
  // The newest statement is the first.
  const [newest = null] = versions
  return prefix === undefined || newest === null ? newest : Math.min(...versions)
}

/** True if a browser of the least version may lack the feature. */
const isNewer = (statement: CompatStatement, prefix?: string): boolean =>
  names.some((browser, at) => (sinceIn(statement, browser, prefix) ?? Infinity) > (least[at] ?? 0))

const versionOf = (version: number | null) => (version === null ? '–' : String(version))
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

test('docs/browsers.md holds the printed tables of versions; UPDATE_DOCS=1 renews it', () => {
  const head = Object.values(BROWSERS)
  const lines = [
    row('', ...head, 'below that'),
    row('---', ...head.map(() => '---'), '---'),
    row('**Parley**', ...least.map((version) => `**${versionOf(version)}**`), 'A sentence that names these versions'),
    ...EXTRAS.map(({ name, otherwise, code, features }) =>
      row(name, ...sinceWhen(features).map(versionOf), `${otherwise} ([code](../${code}))`),
    ),
    '',
    'The least versions come from these features, which have no substitute:',
    '',
    row('feature', ...head),
    row('---', ...head.map(() => '---')),
    ...NEEDED.map(({ key, since }) => row(`\`${key}\``, ...since.map(versionOf))),
  ]
  const printed = /(<!-- printed from [^>]*-->\n).*(<!-- end of printed tables -->)/s
  const written = readFileSync(guide, 'utf8').replace(
    printed,
    (_, begin, end) => `${begin}\n${lines.join('\n')}\n\n${end}`,
  )
  if (process.env.UPDATE_DOCS) writeFileSync(guide, written)
  expect(readFileSync(guide, 'utf8')).toBe(written)
})

test('every version in the tables is that of MDN', () => {
  for (const { key, since } of [...NEEDED, ...EXTRAS.flatMap(({ features }) => features)]) {
    const statement = statementOf(key)
    expect([key, names.map((browser) => statement && sinceIn(statement, browser))]).toEqual([key, since])
  }
})

/** Names of the properties, selectors and methods in the tables. */
const listed = new Set(
  [...NEEDED, ...EXTRAS.flatMap(({ features }) => features)].map(({ key }) => key.split('.').at(-1) ?? ''),
)
/** Newer properties whose effect nobody misses, or that browsers have under another name. */
const COSMETIC = new Set([
  'text-wrap',
  'overscroll-behavior',
  'contain-intrinsic-size',
  'content-visibility',
  'box-decoration-break',
  'overflow-anchor',
  'resize',
  'selection',
])

test('style sheets use no newer property, selector or function than the tables say', () => {
  const css = sources('src/web/css/*.css')
    .map(text)
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
  const prefixed = (name: string) => (css.includes(`-webkit-${name}:`) ? '-webkit-' : undefined)
  const newer = (kind: string, uses: (name: string) => boolean): string[] =>
    Object.entries((bcd.css as Record<string, object>)[kind] as Record<string, Identifier>)
      // Names of one engine are for that engine.
      .filter(([name]) => !/^-(?:webkit|moz)-/.test(name))
      .filter(([name, { __compat }]) => uses(name) && __compat && isNewer(__compat, prefixed(name)))
      .map(([name]) => name)
  const properties = new Set([...css.matchAll(/(?:^|[;{\s])([a-z-]+)\s*:\s/g)].map(([, name]) => name))
  const found = [
    ...newer('properties', (name) => properties.has(name)),
    ...newer('selectors', (name) => new RegExp(`:${name}[\\s,({):.]`).test(css)),
    ...newer('at-rules', (name) => css.includes(`@${name} `)),
  ]
  expect(properties.size).toBeGreaterThan(100)
  expect(found.filter((name) => !listed.has(name) && !COSMETIC.has(name))).toEqual([])
})

test('properties that Safari knows only by their prefix have the prefix too', () => {
  const bare = sources('src/web/css/*.css').flatMap((file) =>
    [...text(file).matchAll(/\{[^{}]*\}/g)].flatMap(([rule]) =>
      ['user-select', 'box-decoration-break'].filter(
        (name) => new RegExp(`[\\s;]${name}:`).test(rule) && !rule.includes(`-webkit-${name}:`),
      ),
    ),
  )
  expect(bare).toEqual([])
})

/** Names of newer methods that methods of the client, or older ones such as CSS.escape and Response.error, have too. */
const OWN = new Set(['drop', 'error', 'escape', 'move', 'take', 'use'])
const NAMESPACES = new Set(['Atomics', 'Intl', 'JSON', 'Math', 'Reflect', 'Temporal'])

test('scripts call no newer method of the language than the tables say', () => {
  const script = sources('src/web/**/*.{ts,tsx}')
    .filter((file) => !/src\/web\/(?:words\/..\/|client\/bot)/.test(file))
    .map((file) => text(file).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''))
    .join('\n')
  const called = new Set([...script.matchAll(/\.([A-Za-z]\w*)\(/g)].map(([, name = '']) => name))
  const isOld = new Map<string, boolean>()
  for (const [owner, members] of Object.entries(bcd.javascript.builtins ?? {}))
    for (const [member, { __compat }] of Object.entries(members as Record<string, Identifier>)) {
      const name = member.replace('_static', '')
      if (member === '__compat' || !__compat || !called.has(name)) continue
      const isStatic = member.endsWith('_static') || NAMESPACES.has(owner)
      const isUsed = !isStatic || script.includes(`${owner}.${name}(`)
      if (isUsed) isOld.set(name, isOld.get(name) || !isNewer(__compat))
    }
  const newer = [...isOld].filter(([name, old]) => !old && !OWN.has(name)).map(([name]) => name)
  expect(isOld.size).toBeGreaterThan(50)
  expect(newer).toEqual([])
})

test('the first script is JavaScript of 2009, and says the least versions in every language of the client', () => {
  const script = oldBrowserScript()
  const code = script.replace(/\{"en":.*\}/, '')
  expect(code).not.toMatch(/=>|`|\b(?:let|const|class|async|await)\b|\?\.|\?\?|\.\.\./)
  const sentences: Record<string, string> = JSON.parse(/\{"en":.*\}/.exec(script)?.[0] ?? '')
  expect(Object.keys(sentences)).toEqual(Object.keys(MANIFEST_WORDS))
  for (const sentence of Object.values(sentences)) expect(sentence).toContain(`Firefox ${least[2]}`)
})
