import { AREAS, areasWithin, ownAreas } from './areas.ts'
import { ExpressionPrinter, literal } from './expression.ts'
import { type Group, isGroup, languageTags, readLocale, type Tree } from './locales.ts'
import { type Message, placeholderFaults, pluralCategories, readMessage } from './message.ts'

// Prints the modules of src/web/words from locales/. The browser gets strings and functions, without a parser and
// without a loop over keys.

const HEAD = (path: string) => `// Printed from locales/${path}.json. After a change there: bun run words\n`
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur']

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const keyOf = (key: string): string => (/^(?:[a-z_$][\w$]*|[1-9]\d*|0)$/i.test(key) ? key : literal(key))
function imports(names: string[], file: string): string {
  const [first = ''] = names
  if (names.length < 2 && first.startsWith('type ')) return `import type { ${first.slice(5)} } from '${file}'\n`
  return names.length === 0 ? '' : `import { ${names.toSorted().join(', ')} } from '${file}'\n`
}

/** Prints the words of a file. */
class ModulePrinter {
  readonly expressions = new ExpressionPrinter()

  /** @param before printed before the entries of the group with this path */
  constructor(
    readonly tag: string,
    readonly area: string,
    readonly faults: string[],
    readonly before: Record<string, string> = {},
  ) {}

  #fault(path: string, fault: string): void {
    this.faults.push(`locales/${this.tag}/${this.area}.json: ${path}: ${fault}`)
  }

  #read(tag: string, text: string, path: string): Message {
    try {
      return readMessage(tag, text)
    } catch (error) {
      if (tag === this.tag) this.#fault(path, error instanceof Error ? error.message : String(error))
      return { tokens: [], placeholders: new Map() }
    }
  }

  print(english: Tree | undefined, own: Tree, path: string): string {
    if (typeof own === 'string') return this.#message(typeof english === 'string' ? english : '', own, path)
    if (Array.isArray(own)) {
      const originals = Array.isArray(english) ? english : []
      if (originals.length !== own.length) this.#fault(path, `has ${own.length} items instead of ${originals.length}`)
      return `[${own.map((item, at) => this.print(originals[at], item, `${path}[${at}]`)).join(', ')}]`
    }
    return `{\n${this.before[path] ?? ''}${this.entries(isGroup(english) ? english : {}, own, path)} }`
  }

  entries(english: Group, own: Group, path: string): string {
    const pathOf = (key: string) => (path ? `${path}.${key}` : key)
    for (const key of Object.keys(english)) if (!(key in own)) this.#fault(pathOf(key), 'is missing')
    return Object.entries(own)
      .map(([key, tree]) => {
        const original = english[key]
        if (original === undefined) this.#fault(pathOf(key), 'is not in English')
        else if (kindOf(original) !== kindOf(tree)) this.#fault(pathOf(key), `is a ${kindOf(tree)}`)
        return `${keyOf(key)}: ${this.print(original, tree, pathOf(key))},\n`
      })
      .join('')
  }

  #message(englishText: string, text: string, path: string): string {
    const english = this.#read('en', englishText, path)
    const own = this.#read(this.tag, text, path)
    for (const fault of placeholderFaults(english, own)) this.#fault(path, fault)
    if (englishText !== '' && text.trim() === '') this.#fault(path, 'is empty')
    return this.#function(english, own)
  }

  /** A function of the value of the only placeholder, or of an object with all values; else the text. */
  #function({ placeholders }: Message, own: Message): string {
    const { code, names } = this.expressions.print(own)
    const used = [...placeholders.keys()].filter((name) => names.has(name))
    const types = [...placeholders].map(([name, { type, isOptional }]) => {
      return `${name}: ${type}${isOptional ? ' | undefined' : ''}`
    })
    if (types.length === 0) return code
    const fields = types.length === 1 || used.length === 0 ? used.join() : `{ ${used.join(', ')} }`
    if (this.tag !== 'en') return `(${fields}) => ${code}`
    const parameters = types.length === 1 ? types.join() : `${fields}: { ${types.join('; ')} }`
    return `(${parameters})${this.#result(code)} => ${code}`
  }

  /** Without it, a function that chooses among literals would have their type. */
  #result(expression: string): string {
    return /[`(]/.test(expression) ? '' : ': string'
  }
}

const kindOf = (tree: Tree): string => (isGroup(tree) ? 'group' : Array.isArray(tree) ? 'list' : 'text')

/** The module of English words of an area. */
function englishModule(area: string, own: Group, faults: string[]): string {
  const { name, about, within } = AREAS[area] ?? { name: area, about: '' }
  const printer = new ModulePrinter('en', area, faults)
  const parts = areasWithin(area)
  const spread = parts.map((part) => `...${AREAS[part]?.name},\n`).join('')
  const content = `{\n${area === 'words' ? spread : ''}${printer.entries(own, own, '')}${
    area === 'words' ? 'rules,' : spread
  } }`
  const isLate = area !== 'words' && within === undefined
  const used = [...printer.expressions.called, isLate ? 'inLanguage' : 'type Words']
  return [
    HEAD(`en/${area}`),
    parts.map((part) => imports([AREAS[part]?.name ?? ''], `./${part}.ts`)).join(''),
    imports(used, './plural.ts'),
    area === 'words' ? imports(['rules'], './rules.ts') : '',
    `\n/** ${about} */\n`,
    `export const ${name} = `,
    isLate ? `inLanguage('${area}', ${content})` : `${content} satisfies Words`,
  ].join('')
}

/** The module of an area in another language. */
function translatedModule(tag: string, area: string, english: Group, own: Group, faults: string[]): string {
  const { name } = AREAS[area] ?? { name: area }
  const parts = areasWithin(area)
  const printer = new ModulePrinter(tag, area, faults, { problems: area === 'words' ? '...errors,\n' : '' })
  const spread = parts.map((part) => `...${camelCase(part)},\n`).join('')
  const entries = printer.entries(english, own, '')
  const content = area === 'words' ? `${spread}${entries}rules,` : `${entries}${spread}`
  const called = [...printer.expressions.called]
  const isOwn = (each: string) => each === 'count' || each === 'choose'
  const others = area === 'words' ? [...parts, 'errors', 'rules'] : parts
  return [
    HEAD(`${tag}/${area}`),
    `import type { ${name} } from '../${area}.ts'\n`,
    imports(
      called.filter((each) => !isOwn(each)),
      '../plural.ts',
    ),
    others.map((part) => `import ${camelCase(part)} from './${part}.ts'\n`).join(''),
    imports(called.filter(isOwn), './plural.ts'),
    `\nexport default {\n${content} } satisfies typeof ${name}`,
  ].join('')
}

/** The modules of a language that hold no area, by the name of the file. */
function otherModules(tag: string, english: Map<string, Group>, own: Map<string, Group>, faults: string[]) {
  const entriesOf = (name: string) =>
    new ModulePrinter(tag, name, faults).entries(english.get(name) ?? {}, own.get(name) ?? {}, '')
  const categories = pluralCategories(tag).map((each) => `'${each}'`)
  // A language that a speaker has reviewed lacks the notice of its translation by a machine.
  const { unreviewed, ...named } = english.get('about') ?? {}
  const about = own.get('about') ?? {}
  const expected = unreviewed !== undefined && 'unreviewed' in about ? { ...named, unreviewed } : named
  const aboutEntries = new ModulePrinter(tag, 'about', faults).entries(expected, about, '')
  return {
    [`${tag}/plural`]: `// Printed for the plural categories of the language: bun run words
import { chooser, counter } from '../plural.ts'

export const choose = chooser('${tag}', ${categories.join(', ')})
export const count = counter(choose)`,
    [`${tag}/about`]: `${HEAD(`${tag}/about`)}import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
${aboutEntries}notices } satisfies About`,
    [`${tag}/errors`]: `${HEAD(`${tag}/errors`)}import type { OtherProblem } from '../language.ts'

export default {
${entriesOf('errors')} } satisfies Record<OtherProblem, string>`,
    [`${tag}/rules`]: `${HEAD(`${tag}/rules`)}import type { Rule } from '../rules.ts'

export default {
${entriesOf('rules')} } satisfies Record<Rule, string>`,
    [`${tag}/${tag}`]: `// Printed from the list of areas: bun run words
import type { Translation } from '../translation.ts'
${ownAreas.map((area) => `import ${camelCase(area)} from './${area}.ts'\n`).join('')}
export default {
  dir: '${RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr'}',
  ${ownAreas.map((area) => (area === camelCase(area) ? area : `'${area}': ${camelCase(area)}`)).join(',\n')},
} satisfies Translation`,
  }
}

const translationModule = (): string => `// Printed from the list of areas: bun run words
${ownAreas.map((area) => `import type { ${AREAS[area]?.name} } from './${area}.ts'\n`).join('')}
/** All words of the web client in one language, by area. */
export interface Translation {
  dir: 'ltr' | 'rtl'
  ${ownAreas.map((area) => `${keyOf(area)}: typeof ${AREAS[area]?.name}`).join('\n')}
}`

const rulesModule = (rules: Group): string => `${HEAD('en/rules')}
/** The rules that people break in forms, as the server says them, with # for each number. */
export type Rule = ${Object.keys(rules)
  .map((rule) => `| ${literal(rule)}`)
  .join('\n')}

/** The rules in the page’s language: English takes the server’s sentences as they are. */
export const rules: Partial<Record<Rule, string>> = {}`

/** Signs that stand for numbers in the rules: each language has as many. */
const signFaults = (tag: string, english: Group, own: Group): string[] =>
  Object.keys(english).flatMap((rule) => {
    const signs = (tree: Tree = '') => String(tree).split('#').length
    return signs(own[rule]) === signs(rule) ? [] : [`locales/${tag}/rules.json: ${rule}: has another number of #`]
  })

/** Words of one module that two files have. */
function clashes(files: Map<string, Group>): string[] {
  return ['words', 'settings'].flatMap((area) => {
    const keys = [area, ...areasWithin(area)].flatMap((part) => Object.keys(files.get(part) ?? {}))
    return keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${area}: two files have the key ${key}`)
  })
}

/** The printed modules, by their path below src/web/words without `.ts`, and what is wrong with the locales. */
export function printWords(): { modules: Map<string, string>; faults: string[] } {
  const faults: string[] = []
  const english = readLocale('en', faults)
  const groupOf = (files: Map<string, Group>, area: string): Group => files.get(area) ?? {}
  const modules = new Map<string, string>([
    ['translation', translationModule()],
    ['rules', rulesModule(groupOf(english, 'rules'))],
  ])
  for (const area of Object.keys(AREAS)) modules.set(area, englishModule(area, groupOf(english, area), faults))
  faults.push(...clashes(english))
  for (const tag of languageTags().filter((each) => each !== 'en')) {
    const own = readLocale(tag, faults)
    for (const area of Object.keys(AREAS))
      modules.set(`${tag}/${area}`, translatedModule(tag, area, groupOf(english, area), groupOf(own, area), faults))
    for (const [path, text] of Object.entries(otherModules(tag, english, own, faults))) modules.set(path, text)
    faults.push(...signFaults(tag, groupOf(english, 'rules'), groupOf(own, 'rules')))
  }
  return { modules, faults }
}
