// Printed from locales/tr/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Tüm üyelere bildir',
  here: 'Çevrimiçi tüm üyelere bildir',
  mayNot: 'Bundan bahsetme iznin yok. Düz metin olarak kalır',
  role: 'rol',
  people: 'Bahsedilecek kişiler',
  emoji: 'Emoji önerileri',
} satisfies typeof completionWords
