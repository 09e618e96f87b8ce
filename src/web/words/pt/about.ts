// Printed from locales/pt/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Português',
  unreviewed: 'Tradução automática, ainda não revisada por ninguém que fale o idioma',
  notices,
} satisfies About
