// Printed from locales/fr/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Français',
  unreviewed: 'Traduction automatique, pas encore relue par une personne qui parle la langue',
  notices,
} satisfies About
