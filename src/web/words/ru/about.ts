// Printed from locales/ru/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Русский',
  unreviewed: 'Машинный перевод, пока не проверенный никем из говорящих на этом языке',
  notices,
} satisfies About
