import { expect, test } from 'bun:test'
import { matches } from '../../src/web/state/matches.ts'
import { fit } from '../../src/web/ui/shell/fuzzy.ts'

const names = ['José', 'Zoë Ångström', 'ＦＵＬＬ', 'İrem', 'Łukasz', 'علي']
const sought = { jose: 'José', angs: 'Zoë Ångström', full: 'ＦＵＬＬ', irem: 'İrem', lukasz: 'Łukasz', علی: 'علي' }

test('a name is found without its accents, case and width, by mentions and by the switcher', () => {
  const people = names.map((name, id) => ({ id, name }))
  for (const [query, name] of Object.entries(sought)) {
    expect(matches(query, people, 5).map((one) => one.name)).toEqual([name])
    expect(names.filter((one) => fit(query, one) !== undefined)).toContain(name)
    expect(fit(query, name)).toBeGreaterThan(900)
  }
})
