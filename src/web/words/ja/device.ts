// Printed from locales/ja/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { digits } from '../plural.ts'

export default {
  share: {
    title: '共有',
    text: 'メッセージ',
    send: '共有',
    leftOut: (n) => `一度に共有できる数を超えるため、${digits(n)}個のファイルを除外しました。`,
  },
  notices: {
    tab: '通知',
    here: 'このデバイス',
    push: 'Parleyを閉じているときの通知',
    pushText: 'ブラウザーのプッシュサービス経由で送信されます。暗号化され、このデバイスだけが読めます。',
    none: 'このブラウザーでは、ここでプッシュ通知を受け取れません。HTTPSが必要です。iPhoneやiPadでは、先にParleyをホーム画面に追加してください。',
    denied: 'ブラウザーがこのサイトの通知をブロックしています。ブラウザーのサイト設定で許可してください。',
    off: 'このサーバーはプッシュ通知を送りません。',
    needHttps: 'デスクトップ通知にはHTTPSが必要です。',
    desktop: 'Parleyを開いているときのデスクトップ通知',
    sound: '画面に表示されていないメッセージの通知音を鳴らす',
    everywhere: 'すべてのデバイス',
    hide: '名前と本文を隠す',
    hideText: '通知には、新着があることだけが表示されます。',
    quiet: 'おやすみモード',
    quietText: (zone) => `毎日この時間帯（${zone}）。通話のプッシュ通知も一時停止されます。`,
    from: '開始',
    until: '終了',
  },
} satisfies typeof deviceWords
