// Printed from locales/es/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Español',
  unreviewed: 'Traducción automática, aún no revisada por nadie que hable el idioma',
  notices,
} satisfies About
