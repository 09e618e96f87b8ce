import { expect, test } from 'bun:test'
import { shownAddress } from '../../../src/web/ui/messages/addresses.ts'

test('a host of letters that look like Latin ones is shown in Punycode, and a name before an @ is not', () => {
  const addresses: [href: string, expected: string][] = [
    ['https://bаnk.example/login', 'https://xn--bnk-6cd.example/login'],
    ['https://раураl.example/', 'https://xn--l-7sba6dbr.example/'],
    ['https://αpple.example/', 'https://xn--pple-zld.example/'],
    ['https://bank.example@evil.example/x', 'https://evil.example/x'],
    ['https://bank.example%2f@evil.example/', 'https://evil.example/'],
    ['https://bank.example\\@evil.example/', 'https://bank.example\\@evil.example/'],
    ['https://bank\u200b.example/\u202egro', 'https://bank.example/gro'],
    ['https://bücher.example/', 'https://bücher.example/'],
    ['https://пример.рф/', 'https://пример.рф/'],
    ['https://例え.jp/日本', 'https://例え.jp/日本'],
  ]
  for (const [href, expected] of addresses) expect([href, shownAddress(href)]).toEqual([href, expected])
})
