// Printed from locales/tr/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Türkçe',
  unreviewed: 'Makine çevirisi, dili konuşan kimse henüz gözden geçirmedi',
  notices,
} satisfies About
