import { expect, test } from 'bun:test'
import { folded } from '../../src/core/words.ts'
import { matches } from '../../src/web/state/matches.ts'
import { findEmoji } from '../../src/web/ui/emoji/known-emoji.ts'
import { namesIn } from '../../src/web/ui/emoji/names/names.ts'
import { fit } from '../../src/web/ui/shell/fuzzy.ts'

const names = ['José', 'Zoë Ångström', 'ＦＵＬＬ', 'İrem', 'Łukasz', 'علي']
const sought = { jose: 'José', angs: 'Zoë Ångström', full: 'ＦＵＬＬ', irem: 'İrem', lukasz: 'Łukasz', علی: 'علي' }

test('mentions and the switcher find a name without its accents, case and width', () => {
  const people = names.map((name, id) => ({ id, name }))
  for (const [query, name] of Object.entries(sought)) {
    expect(matches(query, people, 5).map((one) => one.name)).toEqual([name])
    expect(names.filter((one) => fit(query, one) !== undefined)).toContain(name)
    expect(fit(query, name)).toBeGreaterThan(900)
  }
})

test('an emoji is found by its name in the language of the page without accents, and by its keywords', async () => {
  // Search terms are folded at build time; the displayed name is not.
  for (const code of ['fr', 'pt', 'pl', 'es'])
    for (const each of namesIn(code).split('\n')) {
      const [, , ...tags] = each.split('\t')
      expect(tags.map(folded)).toEqual(tags)
    }
  const found = (query: string) => findEmoji(query, 10).map(({ emoji }) => emoji)
  expect(found('piñata')).toContain('🪅')
  expect(found('pinata')).toContain('🪅')
  expect(found('ＰＩＺＺＡ')).toContain('🍕')
})
