// Printed from locales/ja/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'この通話の参加者',
    start: '通話を開始',
    underway: '通話が進行中です',
    muted: 'ミュート中',
    deafened: 'スピーカーミュート中',
    sharing: '画面を共有中',
  },
} satisfies typeof voiceWords
