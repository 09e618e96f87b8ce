// Printed from locales/hi/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'कीबोर्ड शॉर्टकट',
    channelAbove: 'ऊपर वाला चैनल',
    channelBelow: 'नीचे वाला चैनल',
    unreadAbove: 'ऊपर वाला अपठित चैनल',
    unreadBelow: 'नीचे वाला अपठित चैनल',
  },
  switcher: {
    title: 'कुछ भी खोजें',
  },
} satisfies typeof shortcutWords
