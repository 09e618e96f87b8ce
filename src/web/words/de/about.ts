// Printed from locales/de/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Deutsch',
  unreviewed: 'Maschinell übersetzt, noch von niemandem geprüft, der die Sprache spricht',
  notices,
} satisfies About
