// Printed from locales/ja/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'この通話の参加者',
    start: '通話を開始',
    underway: '通話が進行中です',
    declined: (name) => `${name}が通話を拒否しました。`,
    muted: 'ミュート中',
    deafened: 'スピーカーミュート中',
    sharing: '画面を共有中',
    noMicrophone: 'マイクがありません。聞くことはできますが、相手には聞こえません。',
    noCalls: 'このブラウザーは通話（WebRTC）に対応していません。別のブラウザーかデバイスを使ってください。',
    ended: {
      taken_over: '通話は別のデバイスで続いています。',
      access: 'この通話にアクセスできなくなりました。',
      disconnected: 'モデレーターがあなたを通話から切断しました。',
      media_unavailable: 'サーバーは現在この通話を中継できません。',
    },
    endedOtherwise: '通話が終了しました。',
  },
} satisfies typeof voiceWords
