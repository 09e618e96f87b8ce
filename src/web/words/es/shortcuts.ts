// Printed from locales/es/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Atajos de teclado',
    channelAbove: 'Canal de arriba',
    channelBelow: 'Canal de abajo',
    unreadAbove: 'Canal sin leer de arriba',
    unreadBelow: 'Canal sin leer de abajo',
  },
  switcher: {
    title: 'Buscar cualquier cosa',
  },
} satisfies typeof shortcutWords
