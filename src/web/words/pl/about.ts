// Printed from locales/pl/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Polski',
  unreviewed: 'Tłumaczenie maszynowe, którego nie sprawdził jeszcze nikt mówiący w tym języku',
  notices,
} satisfies About
