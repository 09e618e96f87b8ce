import { expect, test } from 'bun:test'
import { usernameFrom } from '../../../src/web/ui/kit/username.ts'

test('the server accepts every suggested username, from names with marks, symbols and spaces', () => {
  const suggested = {
    'Alice Winter': 'alice.winter',
    '  Dóra  Kiss ': 'dora.kiss',
    'Straße & Söhne': 'strasse.sohne',
    'Łukasz O’Neil': 'lukasz.o.neil',
    'Jean-Luc_9': 'jean-luc_9',
    さくら: '',
    '🐦': '',
    A: '',
    [`${'x'.repeat(31)} y`]: 'x'.repeat(31),
  }
  for (const [name, username] of Object.entries(suggested)) {
    expect([name, usernameFrom(name)]).toEqual([name, username])
    if (username) expect(username).toMatch(/^[a-z0-9_.-]{2,32}$/)
  }
})
