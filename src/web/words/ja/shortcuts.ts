// Printed from locales/ja/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'キーボードショートカット',
    channelAbove: '上のチャンネル',
    channelBelow: '下のチャンネル',
    unreadAbove: '上の未読チャンネル',
    unreadBelow: '下の未読チャンネル',
  },
  switcher: {
    title: '何でも検索',
  },
} satisfies typeof shortcutWords
