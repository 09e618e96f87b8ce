// Printed from locales/uk/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Українська',
  unreviewed: 'Машинний переклад, який ще не перевірила жодна людина, що володіє мовою',
  notices,
} satisfies About
