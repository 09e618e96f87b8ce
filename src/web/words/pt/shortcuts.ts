// Printed from locales/pt/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Atalhos de teclado',
    channelAbove: 'Canal acima',
    channelBelow: 'Canal abaixo',
    unreadAbove: 'Canal não lido acima',
    unreadBelow: 'Canal não lido abaixo',
  },
  switcher: {
    title: 'Encontrar qualquer coisa',
  },
} satisfies typeof shortcutWords
