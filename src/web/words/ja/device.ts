import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: '共有',
    text: 'メッセージ',
    send: '共有',
    leftOut: (n) => count(n, 'あと#個のファイルは、一度に共有できる数を超えています。'),
  },
  notices: {
    tab: '通知',
    here: 'このデバイス',
    push: 'Parleyを閉じているときの通知',
    pushText: 'このブラウザーの提供元のプッシュサービスを通り、このデバイスだけが読めるように暗号化されます。',
    none: 'このブラウザーではここでプッシュ通知を使えません。HTTPSが必要で、iPhoneやiPadではParleyをホーム画面に追加する必要があります。',
    denied: 'ブラウザーがこのページの通知をブロックしています。このサイトの設定で許可してください。',
    off: 'このサーバーはプッシュ通知を送りません。',
    needHttps: 'デスクトップ通知にはHTTPSが必要です。',
    desktop: 'Parleyを開いているときのデスクトップ通知',
    sound: '見ていないメッセージが届いたときの音',
    everywhere: 'すべてのデバイス',
    hide: '名前と本文を隠す',
    hideText: '通知には、新着があることだけが表示されます。',
    quiet: 'おやすみモード',
    quietText: (zone) => `毎日この時間帯（${zone}）。この間、プッシュによる着信は鳴りません。`,
    from: '開始',
    until: '終了',
  },
} satisfies typeof deviceWords
