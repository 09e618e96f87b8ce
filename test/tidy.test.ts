import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// The rules of style that a test can check. The formatter runs before, so indentation shows the structure.
const FILE_LINES_MAX = 350
const FUNCTION_LINES_MAX = 100
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

/** Printed from locales/, where a text is one line. */
const isPrinted = (file: string) => file.startsWith('src/web/words/') && lines(file)[0]?.startsWith('// Printed ')

test('no file is longer than 350 lines and no line wider than 120 columns', () => {
  expect(everything.filter((file) => lines(file).length > FILE_LINES_MAX)).toEqual([])
  const wide = (file: string) =>
    lines(file).flatMap((line, at) => (line.length > COLUMNS_MAX ? [`${file}:${at + 1}`] : []))
  expect(everything.filter((file) => !isPrinted(file)).flatMap(wide)).toEqual([])
})

/** Each function with the number of its lines, including inner functions. */
function functionSpans(file: string): { name: string; span: number }[] {
  const open: { indent: number; name: string; start: number }[] = []
  const closed: { name: string; span: number }[] = []
  lines(file).forEach((line, at) => {
    const text = line.trimStart()
    const indent = line.length - text.length
    const innermost = open.at(-1)
    if (innermost && indent === innermost.indent && text.startsWith('}')) {
      open.pop()
      closed.push({ name: innermost.name, span: at - innermost.start + 1 })
    }
    const isStart =
      /(=>|\)|\): [^=]+) \{$/.test(line) && !/^(if|for|while|switch|} else|else|catch|} catch)\b/.test(text)
    if (isStart) open.push({ indent, name: `${file}:${at + 1} ${text}`, start: at })
  })
  return closed
}

test('no function spans more than 100 lines, except tables of routes and groups of tests', () => {
  const spans = everything.flatMap(functionSpans)
  expect(spans.length).toBeGreaterThan(1000)
  const isTable = (name: string) => /Routes\b.*\{$|\bdescribe[.(]/.test(name)
  expect(spans.filter(({ name, span }) => span > FUNCTION_LINES_MAX && !isTable(name))).toEqual([])
})

/** The folders and files of src by floor, from the ground up. A file imports from its own folder and lower floors. */
const FLOORS = [
  ['environment.ts', 'core'],
  ['database', 'redis', 'storage'],
  ['events', 'http'],
  ['backup', 'cluster'],
  ['parts.ts'],
  ['features'],
  ['turn'],
  ['voice'],
  ['gateway'],
  ['api', 'discord', 'web'],
  ['cli', 'parley.ts'],
  ['commands.ts'],
  ['main.ts'],
]
const folderOf = (file: string) => file.split('/')[1] ?? ''
const floorOf = (file: string) => FLOORS.findIndex((folders) => folders.includes(folderOf(file)))

/** The files of this tree that each source file imports, types included. */
const imported = new Map(
  sources.map((file) => [
    file,
    [...(text.get(file) ?? '').matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  ]),
)
const edges = [...imported].flatMap(([file, targets]) => targets.map((target) => ({ file, target })))

test('every source file has a floor, and imports only from its own folder and lower floors', () => {
  expect(sources.filter((file) => floorOf(file) === -1)).toEqual([])
  expect(edges.length).toBeGreaterThan(1000)
  const isAllowed = ({ file, target }: { file: string; target: string }) =>
    folderOf(file) === folderOf(target) || floorOf(target) < floorOf(file) || floorOf(file) + floorOf(target) === 0
  expect(edges.filter((edge) => !isAllowed(edge)).map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
})

/**
 * The features by floor, from the ground up. A feature imports only from features on lower floors: code that two of
 * them
 * share is below both. A new feature goes on the lowest floor above all that it imports.
 */
const FEATURE_FLOORS = [
  ['mail'],
  ['sessions'],
  ['access', 'accounts', 'passkeys'],
  ['audit', 'cases', 'factors', 'oidc', 'polls', 'status', 'users'],
  ['files', 'proof', 'reactions', 'roles', 'stages'],
  ['automod', 'emoji', 'favourites', 'previews', 'stickers'],
  ['messages', 'profiles', 'push', 'role-icons', 'sounds'],
  ['calendar', 'calls', 'dms', 'groups', 'interactions', 'threads', 'unread', 'webhooks'],
  ['members', 'mentions', 'notifications', 'pins', 'public-pages', 'reports', 'search'],
  ['applications', 'arrival', 'forums', 'friends', 'invites', 'saved', 'scheduled', 'servers'],
  ['channels', 'lifecycle', 'login', 'templates'],
  ['discovery', 'retention'],
  ['operations'],
  ['operator'],
  ['imports'],
]
/** Imports of features that point up despite the rule: none. */
const UPWARD_IMPORTS: string[] = []

test('every feature has a floor, and imports only from features on lower floors', () => {
  const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]
  const features = new Set(sources.flatMap((file) => featureOf(file) ?? []))
  expect([...features].sort()).toEqual(FEATURE_FLOORS.flat().sort())
  const featureFloorOf = (feature: string) => FEATURE_FLOORS.findIndex((floor) => floor.includes(feature))
  const between = edges.flatMap(({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)]
    return from && to && from !== to ? [{ file, target, isDown: featureFloorOf(to) < featureFloorOf(from) }] : []
  })
  expect(between.length).toBeGreaterThan(400)
  const upward = between.filter(({ isDown }) => !isDown).map(({ file, target }) => `${file} imports ${target}`)
  expect(upward).toEqual(UPWARD_IMPORTS)
})

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
function importCircles(): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    stack.push(file)
    for (const target of imported.get(file) ?? []) {
      const reached = order.has(target) ? (stack.includes(target) ? (order.get(target) ?? 0) : Infinity) : visit(target)
      lowest.set(file, Math.min(lowest.get(file) ?? 0, reached))
    }
    const own = lowest.get(file) ?? 0
    if (own === order.get(file)) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1) circles.push(circle.sort())
      return Infinity
    }
    return own
  }
  for (const file of sources) if (!order.has(file)) visit(file)
  return circles
}

test('no files import each other in a circle', () => {
  expect(importCircles()).toEqual([])
})

/**
 * The areas of src/web/ui by floor, from the ground up. A file imports only from its own area and from areas on lower
 * floors; an `import()` at the first use counts too.
 */
const UI_FLOORS = [
  ['kit'],
  ['commands', 'emoji', 'security', 'voice'],
  ['operator', 'server'],
  ['applications', 'people', 'threads'],
  ['messages', 'settings'],
  ['arrival', 'calendar', 'forums', 'notifications', 'search', 'share'],
  ['menus'],
  ['shell'],
]
/** Imports among the areas that point up despite the rule: none. */
const UPWARD_UI_IMPORTS: string[] = []

test('every area of the web client has a floor, and imports only from areas on lower floors', () => {
  const areaOf = (file: string) => /^src\/web\/ui\/([^/]+)/.exec(file)?.[1]
  const areas = new Set(sources.flatMap((file) => areaOf(file) ?? []))
  expect([...areas].sort()).toEqual(UI_FLOORS.flat().sort())
  const areaFloorOf = (area: string) => UI_FLOORS.findIndex((floor) => floor.includes(area))
  const between = edges.flatMap(({ file, target }) => {
    const [from, to] = [areaOf(file), areaOf(target)]
    return from && to && from !== to ? [{ file, target, isDown: areaFloorOf(to) < areaFloorOf(from) }] : []
  })
  expect(between.length).toBeGreaterThan(400)
  const upward = between.filter(({ isDown }) => !isDown).map(({ file, target }) => `${file} imports ${target}`)
  expect(upward).toEqual(UPWARD_UI_IMPORTS)
})

test('the browser gets types of the wire, and of the server’s code only tables and the grammar of messages', () => {
  const isOfBrowser = (file: string) => file.startsWith('src/web/') || file.startsWith('src/core/markup')
  const imports = sources
    .filter(isOfBrowser)
    .flatMap((file) =>
      [...(text.get(file) ?? '').matchAll(/^(?:import|export) (type )?[^']*'(\.[^']+)'/gm)].map(
        ([, type, path = '']) => {
          return { file, isType: type !== undefined, target: join(dirname(file), path) }
        },
      ),
    )
    .filter(({ target }) => !isOfBrowser(target))
  expect(imports.length).toBeGreaterThan(10)
  const isWire = (target: string) =>
    target.startsWith('src/core/') || /^src\/(features\/\w+|gateway|turn|voice)\/model\.ts$/.test(target)
  const isTable = (target: string) => target.startsWith('src/core/') && !/^import /m.test(text.get(target) ?? 'import ')
  expect(imports.filter(({ isType, target }) => !(isType ? isWire(target) : isTable(target)))).toEqual([])
})

test('nothing is exported that no other file uses', () => {
  const uses = (name: string, file: string) =>
    (text.get(file) ?? '').match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
  const dead = sources.flatMap((file) =>
    [...(text.get(file) ?? '').matchAll(/^export (?:async )?(const|function|class|interface|type) (\w+)/gm)]
      .filter(([, kind, name = '']) => {
        const isUsedElsewhere = everything.some((other) => other !== file && uses(name, other) > 0)
        // A type may be a parameter or result of an exported function.
        const isType = kind === 'interface' || kind === 'type'
        return !isUsedElsewhere && !(isType && uses(name, file) > 1)
      })
      .map(([, , name]) => `${file} ${name}`),
  )
  expect(dead).toEqual([])
})

test('no file has a meaningless name', () => {
  expect(everything.filter((file) => /^(utils?|helpers?|common|types?|misc)\./.test(basename(file)))).toEqual([])
})

test('no any, no silent non-null, no stray environment', () => {
  expect(found(sources, /^[^*]*(: any\b|as any\b|<any>|any\[\])/)).toEqual([])
  expect(found(sources, /[\w)\]]!(\.|;|,|\)|\[|$)/).filter((line) => !line.includes('//'))).toEqual([])
  const programs = ['admin', 'command', 'doctor', 'release'].map((name) => `cli/${name}`)
  const readers = ['commands', 'core/built-program', 'environment', ...programs].map((name) => `src/${name}.ts`)
  expect(found(sources, /process\.env/).filter((line) => !readers.some((file) => line.startsWith(file)))).toEqual([])
})

const BANNED_OPENERS = /^(?:What|Who|Whom|Whose|Whoever|Whether|Where|Those|Of (?:these|those)|So many|As many)\b/

/** The first line of each comment. A line comment that continues another one may begin with any word. */
function commentStarts(source: string): { line: number; comment: string }[] {
  const all = source.split('\n')
  return all.flatMap((line, at) => {
    const before = all[at - 1] ?? ''
    const block = /^\s*\/\*\*? (.*)/.exec(line) ?? (/^\s*\/\*\*?$/.test(before) ? /^\s*\* (.*)/.exec(line) : null)
    const start = block ?? (/^\s*\/\/ /.test(before) ? null : /^\s*\/\/ (.*)/.exec(line))
    return start ? [{ line: at + 1, comment: start[1] ?? '' }] : []
  })
}

test('no comment begins with What, Who, Whether, Where or Those', () => {
  const banned = [...everything, ...files('src/web/**/*.css')].flatMap((file) =>
    commentStarts(text.get(file) ?? readFileSync(join(root, file), 'utf8'))
      .filter(({ comment }) => BANNED_OPENERS.test(comment))
      .map(({ line, comment }) => `${file}:${line} ${comment}`),
  )
  expect(banned).toEqual([])
})

test('every test runs', () => {
  expect(found(files('test/**/*.ts'), /\b(test|describe|it)\.(skip|only|todo)\(/)).toEqual([])
})

test('the project contains no path of a machine and no host of a registry', () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  const machine = new RegExp(['/wor' + 'k/', '/fa' + 'rm/', 'registry\\.np' + 'mjs', 'deb\\.deb' + 'ian'].join('|'))
  const guilty = tracked
    .filter((file) => !/\.(png|svg|lock)$/.test(file) || file === 'bun.lock')
    .filter((file) => machine.test(readFileSync(join(root, file), 'utf8')))
  expect(guilty).toEqual([])
})

test('every document and every file that a comment cites is in the clone', () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  // Landed migrations never change, and another test checks Markdown.
  const commented = tracked.filter((file) => !/^(sql|patches)\/|\.(md|json|png|webp|svg|lock|txt)$/.test(file))
  const comment = /^\s*(?:\/\/|\/?\*|#).*|\s\/\/ .*/
  const cited =
    /(?<![\w./*:@-])(?:[\w.-]+\/)*[\w.-]+\.md\b|(?<![\w./*:@-])(?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|css|sh|sql)\b/g
  const missing = commented.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        [...(comment.exec(line)?.[0] ?? '').matchAll(cited)].map(([path]) => ({ path, place: `${file}:${at + 1}` })),
      )
      .filter(({ path }) => !existsSync(join(root, path)))
      .map(({ path, place }) => `${place} cites ${path}`),
  )
  expect(missing).toEqual([])
})

test('docs/architecture.svg draws these floors, those of the features and of the web client, from the top down', () => {
  const drawing = readFileSync(join(root, 'docs/architecture.svg'), 'utf8')
  const drawn = (kind: string) =>
    [...drawing.matchAll(new RegExp(`class="${kind}"[^>]*>([^<]+)<`, 'g'))]
      .map(([, names = '']) => names.split(' · ').sort())
      .reverse()
  expect(drawn('name')).toEqual(FLOORS.map((folders) => folders.map((name) => name.replace('.ts', '')).sort()))
  expect(drawn('feature')).toEqual(FEATURE_FLOORS.map((features) => features.toSorted()))
  expect(drawn('area')).toEqual(UI_FLOORS.map((areas) => areas.toSorted()))
})
