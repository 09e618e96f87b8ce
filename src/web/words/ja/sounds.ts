// Printed from locales/ja/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'ボイスメッセージ',
  recording: '録音中です。Enterで送信、Escapeで破棄します。',
  discard: '録音を破棄',
  keep: '停止して後で送信',
  send: '録音を送信',
  over: '録音が最大の長さに達しました。添付されましたが、まだ送信されていません。',
  noMicrophone: 'マイクがないか、ブラウザーがマイクの使用をブロックしています。',
  play: (name) => `${name}を再生`,
  pause: (name) => `${name}を一時停止`,
  position: (name) => `${name}の再生位置`,
  of: ({ now, all }) => `${now} / ${all}`,
  rate: (rate) => `速度：${rate}`,
} satisfies typeof soundWords
