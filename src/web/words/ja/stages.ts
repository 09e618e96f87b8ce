// Printed from locales/ja/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'

export default {
  kind: 'ステージ',
  make: '新しいステージ',
  listen: '聞く',
  start: 'ステージを開始',
  startNow: '開始',
  edit: 'トピックを変更',
  end: 'ステージを終了',
  topic: 'トピック',
  noSpeakers: 'まだ誰も話していません。',
  audience: (n) => `リスナー${digits(n)}人`,
  showAudience: 'リスナーを表示',
  others: (n) => `ほか${digits(n)}人`,
  raise: '手を挙げる',
  lower: '手を下ろす',
  place: (n) => `前に${digits(n)}人が手を挙げています`,
  speak: '話す',
  stepDown: 'ステージを降りる',
  invited: 'モデレーターがあなたを登壇に招待しています。',
  refuse: '今はしない',
  hands: '挙手',
  noHands: '手を挙げている人はいません。',
  letUp: (name) => `${name}さんに発言を許可`,
  invite: (name) => `${name}さんを登壇に招待`,
  sendDown: (name) => `${name}さんをリスナーに戻す`,
  lowerHand: (name) => `${name}さんの手を下ろす`,
  isInvited: '招待済み',
} satisfies typeof stageWords
