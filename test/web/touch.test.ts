import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'

const styles = join(import.meta.dir, '../../src/web/css')

/** The selectors that name `:hover` and are not within `@media (hover: hover)`, by file. */
async function strayHovers(): Promise<string[]> {
  const stray: string[] = []
  for await (const file of new Glob('*.css').scan(styles)) {
    const text = (await Bun.file(join(styles, file)).text()).replaceAll(/\/\*[^]*?\*\//g, '')
    const open: string[] = []
    for (const [, prelude = '', brace] of text.matchAll(/([^{}]*)([{}])/g)) {
      if (brace === '}') open.pop()
      else {
        const opener = prelude.split(';').at(-1)?.trim() ?? ''
        if (opener.includes(':hover') && !open.includes('@media (hover: hover)')) stray.push(`${file}: ${opener}`)
        open.push(opener)
      }
    }
  }
  return stray
}

test('a finger, which leaves no pointer where it was, gets no style of a pointer that hovers', async () => {
  expect(await strayHovers()).toEqual([])
})
