import type { talkWords } from '../talk.ts'

export default {
  muted: 'ミュートで通話に参加',
  mode: '声を届けるとき',
  modes: {
    open: '常に',
    voice: '話している間',
    push: 'キーかボタンを押している間',
  },
  key: '押すキー',
  keyText: 'このページにフォーカスがある間に働きます。文字キーは入力中は働きません。',
  press: 'キーを押してください…',
  threshold: '声を届ける音量',
  level: '現在の音量',
  listen: '自分の音量を表示',
  noise: 'ノイズ抑制',
  noises: { off: 'オフ', browser: 'ブラウザーの機能', rnnoise: 'RNNoise: より強力で、処理の負荷が増えます' },
  echo: 'エコーキャンセル',
  gain: 'マイクの音量を自動調整',
  music: '音楽モード',
  musicText:
    '128 kbit/sのステレオで、音から何も取り除きません。ヘッドホンを使ってください。使わないと相手にエコーが聞こえます。',
  keys: '通話中のキー',
  noKey: 'なし',
  keysText: 'キーを単独で、またはCtrl、Alt、Shiftと一緒に押してください。Backspaceで解除します。',
} satisfies typeof talkWords
