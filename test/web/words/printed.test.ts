import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { errorsText, type Group, localePath } from '../../support/locales/locales.ts'
import { printWords } from '../../support/locales/modules.ts'

const WORDS = join(import.meta.dir, '../../../src/web/words')
/** Code: the plural rules, and the choice of a language. */
const WRITTEN_BY_HAND = ['language.ts', 'languages.ts', 'load.ts', 'plural.ts']
const FORMAT = ['--print-width=120', '--no-semi', '--single-quote']

const isUpdate = Boolean(process.env.UPDATE_WORDS)
const read = (path: string) => readFileSync(path, 'utf8')
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()

/** Texts by file name, as the formatter writes them. */
function formatted(modules: Map<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'words-'))
  for (const [path, text] of modules) {
    const file = join(folder, `${path}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { success, stderr } = Bun.spawnSync([process.execPath, 'fmt', ...FORMAT, folder])
  if (!success) throw new Error(stderr.toString())
  const texts = new Map(filesIn(folder).map((name) => [name, read(join(folder, name))]))
  rmSync(folder, { recursive: true })
  return texts
}

test('locales/en/errors.json has the server’s text for each error that the client has no words for', () => {
  const { problems = {} }: { problems?: Group } = JSON.parse(read(localePath('en', 'words')))
  const path = localePath('en', 'errors')
  if (isUpdate) writeFileSync(path, errorsText(problems))
  expect(errorsText(problems)).toBe(read(path))
})

test('src/web/words holds the words of locales/, which lack nothing; UPDATE_WORDS=1 prints them anew', () => {
  const { modules, faults } = printWords()
  const texts = formatted(modules)
  const existing = () => filesIn(WORDS).filter((name) => !WRITTEN_BY_HAND.includes(name))
  if (isUpdate) {
    for (const name of existing()) rmSync(join(WORDS, name))
    for (const [name, text] of texts) {
      mkdirSync(dirname(join(WORDS, name)), { recursive: true })
      writeFileSync(join(WORDS, name), text)
    }
  }
  // Words are printed despite a fault, so that English can be tried before it is translated.
  expect(faults).toEqual([])
  expect(existing()).toEqual([...texts.keys()])
  expect(existing().filter((name) => read(join(WORDS, name)) !== texts.get(name))).toEqual([])
})
