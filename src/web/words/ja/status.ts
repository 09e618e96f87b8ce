// Printed from locales/ja/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'あなたのステータス',
  choice: 'ほかの人への表示',
  about: {
    online: '10分間操作がないと離席中',
    idle: '常に離席中',
    dnd: 'デバイスに通知も音も出しません',
    invisible: 'オフライン。入力中であることは誰にも伝わらず、@here の通知も届きません。',
  },
  text: '今、何をしていますか？',
  emoji: '絵文字を選ぶ',
  noEmoji: (emoji) => `${emoji}を外す`,
  ends: '終了',
  never: 'なし',
  callers: 'それでも着信音を鳴らす友だち（50人まで）',
  seen: {
    title: 'ほかの人に見えます',
    text: 'ステータスは非表示ですが、この通話が見える人には、参加していることが見えます。',
    action: '通話に参加',
  },
} satisfies typeof statusWords
