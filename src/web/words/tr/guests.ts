// Printed from locales/tr/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Misafir olarak katıl',
  name: 'Adın',
  hint: '24 saatliğine, hesap olmadan. Bu süre içinde bunu kalıcı bir hesaba dönüştürebilirsin.',
  keep: 'Bu hesabı koru',
  keepText: 'Misafirsin. Bir kullanıcı adı ve parola seç, bu hesap yazdığın her şeyle birlikte senin olsun.',
  ends: (time) => `Yoksa sona erer: ${time}.`,
} satisfies typeof guestWords
