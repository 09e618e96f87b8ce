// Printed from locales/ja/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'ミュートで通話に参加',
  mode: '入力モード',
  modes: {
    open: '常にオン',
    voice: '音声検出',
    push: 'プッシュトゥトーク',
  },
  key: 'プッシュトゥトークのキー',
  keyText: 'このページにフォーカスがあるときに働きます。文字キーは入力中は働きません。',
  press: 'キーを押してください…',
  threshold: '入力感度',
  level: '入力レベル',
  listen: 'マイクテスト',
  noise: 'ノイズ抑制',
  noises: {
    off: 'オフ',
    browser: 'ブラウザー',
    rnnoise: 'RNNoise（より強力、CPUの使用が増えます）',
  },
  echo: 'エコーキャンセル',
  gain: '自動ゲインコントロール',
  music: '音楽モード',
  musicText:
    '128 kbit/sのステレオで、音声処理を行いません。ヘッドホンを使ってください。使わないと相手にエコーが聞こえます。',
  keys: '通話中のキー',
  noKey: 'なし',
  keysText: 'キーを押してください。Ctrl、Alt、Shiftと組み合わせることもできます。Backspaceで解除します。',
} satisfies typeof talkWords
