import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'Português',
  unreviewed: 'Tradução automática, ainda não revisada por ninguém que fale o idioma',
  notices,
} satisfies About
