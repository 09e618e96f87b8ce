import { readFileSync } from 'node:fs'
import { unicodeEmoji } from '../../../../core/emoji.ts'
import { folded } from '../../../../core/words.ts'

interface Named {
  unicode: string
  label: string
  group?: number
  tags?: string[]
}

/**
 * Names of Unicode's emoji in a language, from CLDR. The build runs this; the client gets only its result.
 * @param code the language's folder in emojibase-data
 * @returns one line per emoji: the emoji, its name and search words, folded and separated by tabs
 */
export function namesIn(code: string): string {
  const path = Bun.resolveSync(`emojibase-data/${code}/compact.json`, import.meta.dir)
  const all: Named[] = JSON.parse(readFileSync(path, 'utf8'))
  return all
    .filter(({ group }) => group !== undefined)
    .map(({ unicode, label, tags = [] }) =>
      [unicodeEmoji(unicode) ?? unicode, label, ...new Set(tags.map(folded))].join('\t'),
    )
    .join('\n')
}
