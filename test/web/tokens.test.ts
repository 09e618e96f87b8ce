import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CSS = join(import.meta.dir, '../../src/web/css')
const tokens = readFileSync(join(CSS, 'tokens.css'), 'utf8')

type Theme = 'light' | 'dark'
type Color = { rgb: number[]; alpha: number }

/** A token's colour in a theme. */
function colorOf(name: string, theme: Theme): Color {
  const [, value = ''] = new RegExp(`--${name}: ([^;]+);`).exec(tokens) ?? []
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
  if (other) return colorOf(other, theme)
  const all = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+)%)?\)/g)]
  const found = value.startsWith('light-dark(') && theme === 'dark' ? all[1] : all[0]
  if (!found) throw new Error(`--${name} is no colour`)
  const [l = 0, c = 0, h = 0, percent = 100] = found.slice(1).map((part) => (part === undefined ? undefined : +part))
  return { rgb: fromOklch(l, c, h), alpha: percent / 100 }
}

/** sRGB from 0 to 1, clipped. Source: Björn Ottosson, "A perceptual color space for image processing". */
function fromOklch(l: number, c: number, h: number): number[] {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
  return linear
    .map((part) => Math.min(1, Math.max(0, part)))
    .map((part) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))
}

const over = ({ rgb, alpha }: Color, ground: number[]): number[] =>
  rgb.map((part, at) => part * alpha + (ground[at] ?? 0) * (1 - alpha))

function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of text with layers of background, the lowest first. Source: WCAG 2.2. */
function contrast(text: string, layers: string[], theme: Theme): number {
  const ground = layers.reduce<number[]>((below, name) => over(colorOf(name, theme), below), [1, 1, 1])
  const [light = 0, dark = 0] = [luminance(over(colorOf(text, theme), ground)), luminance(ground)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const PAGES = ['rail', 'side', 'ground', 'raised', 'field']
const STATES = ['hover', 'here']
const plain = PAGES.map((page) => [page])
const touched = ['side', 'ground', 'raised'].flatMap((page) => STATES.map((state) => [page, state]))
/** Each text, and its backgrounds. */
const PAIRS: [text: string, grounds: string[][]][] = [
  ['text', [...plain, ...touched, ['code'], ['called'], ['ground', 'hover', 'hover'], ['called', 'warm-mark']]],
  ['quiet', [...plain, ...touched, ['code'], ['called'], ['accent-soft'], ['ground', 'hover', 'here']]],
  ['faint', [...plain, ['side', 'hover'], ['ground', 'hover'], ['raised', 'hover'], ['called'], ['code']]],
  ['accent', [...plain, ...touched, ['accent-soft'], ['called'], ['ground', 'accent-soft']]],
  ['on-accent', [['accent-fill'], ['accent']]],
  ['on-warm', [['warm']]],
  ['warm-text', [['ground'], ['side'], ['raised'], ['called']]],
  ['danger', [...plain, ...touched, ['danger-soft'], ['called']]],
  ['on-danger', [['danger-fill']]],
  ['online-text', [['side'], ['ground'], ['raised'], ['side', 'hover']]],
  ...['quiet', 'keyword', 'string', 'number', 'name', 'type', 'removed'].map((part): [string, string[][]] => [
    `code-${part}`,
    [['code'], ['side']],
  ]),
  ...Array.from({ length: 12 }, (_, at): [string, string[][]] => ['on-avatar', [[`avatar-${at + 1}`]]]),
]

test('every text has a contrast of 4.5 to 1 with its background, light and dark', () => {
  const faint = (['light', 'dark'] as const).flatMap((theme) =>
    PAIRS.flatMap(([text, grounds]) =>
      grounds
        .map((layers) => ({ pair: `${theme} ${text} on ${layers.join(' + ')}`, value: contrast(text, layers, theme) }))
        .filter(({ value }) => value < 4.5)
        .map(({ pair, value }) => `${pair}: ${value.toFixed(2)}`),
    ),
  )
  expect(faint).toEqual([])
})

test('icons without text have a contrast of 3 to 1 with their background', () => {
  const signs: [string, string[]][] = [
    ['accent', ['side']],
    ['accent-fill', ['ground']],
    ['danger', ['ground']],
    ['field-line', ['field']],
    ['field-line', ['ground']],
    ['field-line', ['raised']],
  ]
  for (const theme of ['light', 'dark'] as const)
    for (const [sign, layers] of signs)
      expect([theme, sign, contrast(sign, layers, theme) >= 3]).toEqual([theme, sign, true])
})

test('the cover of a spoiler is darker than the page, light and dark', () => {
  const rich = readFileSync(join(CSS, 'rich.css'), 'utf8')
  const [, cover = ''] = /\.spoiler\.covered \{[^}]*background: var\(--([\w-]+)\)/.exec(rich) ?? []
  for (const theme of ['light', 'dark'] as const)
    for (const page of PAGES) {
      const [above, below] = [cover, page].map((name) => luminance(colorOf(name, theme).rgb))
      expect([theme, page, (above ?? 1) < (below ?? 0)]).toEqual([theme, page, true])
    }
})

test('colours and sizes of type are defined only in tokens.css', () => {
  const literal = /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch)\((?!from)|font-size: *[\d.]+px|font: *[\d.]+px/i
  const violations = readdirSync(CSS)
    .filter((name) => name !== 'tokens.css')
    .flatMap((name) =>
      readFileSync(join(CSS, name), 'utf8')
        .split('\n')
        .map((line, at) => `${name}:${at + 1} ${line.trim()}`)
        .filter((line) => literal.test(line)),
    )
  expect(violations).toEqual([])
})

test('every token that a style sheet or a component uses is defined', () => {
  const sheets = readdirSync(CSS).map((name) => readFileSync(join(CSS, name), 'utf8'))
  const inSheets = (pattern: RegExp) => sheets.flatMap((sheet) => [...sheet.matchAll(pattern)].map(([, name]) => name))
  // Components set these: a role's colour, a menu's position, the background of initials, the shape of a call.
  const tokenNames = new Set([...inSheets(/^\s*--([\w-]+):/gm), 'tint', 'left', 'top', 'picture', 'columns', 'rows'])
  expect(inSheets(/var\(--([\w-]+)/g).filter((name) => !tokenNames.has(name))).toEqual([])
})

test('text that cannot be selected is marked for WebKit too', () => {
  const sheets = readdirSync(CSS).map((name) => [name, readFileSync(join(CSS, name), 'utf8')] as const)
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0
  for (const [name, text] of sheets)
    expect([name, count(text, /-webkit-user-select:/g)]).toEqual([name, count(text, /(?<!-)\buser-select:/g)])
})
