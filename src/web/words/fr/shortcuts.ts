// Printed from locales/fr/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Raccourcis clavier',
    channelAbove: 'Salon au-dessus',
    channelBelow: 'Salon en dessous',
    unreadAbove: 'Salon non lu au-dessus',
    unreadBelow: 'Salon non lu en dessous',
  },
  switcher: {
    title: 'Tout rechercher',
  },
} satisfies typeof shortcutWords
