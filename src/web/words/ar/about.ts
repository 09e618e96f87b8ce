// Printed from locales/ar/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'العربية',
  unreviewed: 'ترجمة آلية لم يراجعها بعد أحد المتحدثين باللغة',
  notices,
} satisfies About
