import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from '../../../src/core/errors.ts'
import { AREAS } from './areas.ts'

/** Words as a file of locales/ has them. A text is a message in ICU MessageFormat. */
export type Tree = string | Tree[] | Group
export interface Group {
  [key: string]: Tree
}

const LOCALES = join(import.meta.dir, '../../../locales')
/** Files with other content than an area. */
const OTHER_FILES = ['about', 'errors', 'rules']

export const isGroup = (tree: Tree | undefined): tree is Group => typeof tree === 'object' && !Array.isArray(tree)

/** The file as translation platforms write it: Weblate indents by four. */
const written = (tree: Tree): string => `${JSON.stringify(tree, null, 4)}\n`

export const languageTags = (): string[] =>
  readdirSync(LOCALES)
    .filter((name) => /^[a-z]{2}$/.test(name))
    .sort()

export const localePath = (tag: string, area: string): string => join(LOCALES, tag, `${area}.json`)

/** The files of a language, by name. @param faults collects what is wrong with them */
export function readLocale(tag: string, faults: string[]): Map<string, Group> {
  const files = new Map<string, Group>()
  for (const area of [...Object.keys(AREAS), ...OTHER_FILES]) {
    const place = `locales/${tag}/${area}.json`
    const text = readFileSync(localePath(tag, area), 'utf8')
    const tree: Group = JSON.parse(text)
    if (text !== written(tree)) faults.push(`${place}: is not indented by four spaces, or has a key twice`)
    files.set(area, tree)
  }
  for (const name of readdirSync(join(LOCALES, tag)))
    if (!files.has(name.replace(/\.json$/, ''))) faults.push(`locales/${tag}/${name}: no area has this name`)
  return files
}

/** The texts of errors that the client takes from the server, as translators read them. */
export function errorsText(problems: Group): string {
  const others = Object.entries(errorCodes).filter(([code]) => !(code in problems))
  return written(Object.fromEntries(others.map(([code, { title }]) => [code, title])))
}
