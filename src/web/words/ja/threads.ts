// Printed from locales/ja/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    title: 'スレッド',
    show: (isLively) => (isLively ? 'スレッド（新しいメッセージあり）' : 'スレッド'),
    begin: 'スレッドを作成',
    open: 'スレッドを開く',
    archived: 'アーカイブ済み',
    close: 'スレッドを閉じる',
    panel: (name) => `スレッド${name}`,
    messages: (n) => (n === 0 ? 'まだメッセージなし' : `${digits(n)}件のメッセージ`),
    follow: 'フォロー',
    unfollow: 'フォロー中',
    followHint: 'メッセージが未読として数えられます',
    actions: 'スレッドの操作',
    rename: '名前を変更',
    settings: 'スレッドの設定',
    link: 'スレッドのリンクをコピー',
    archive: 'アーカイブ',
    bringBack: 'アーカイブを解除',
    lock: 'ロック',
    unlock: 'ロック解除',
    locked: 'ロック中',
    lockedHint: 'このスレッドはロックされています。',
    archivedHint: 'このスレッドはアーカイブ済みです。新しいメッセージを送ると復帰します。',
    delete: 'スレッドを削除',
    deleteText: 'スレッドとそのメッセージ、ファイルが全員から削除されます。',
    answer: '回答としてマーク',
    noAnswer: '回答のマークを外す',
  },
} satisfies typeof threadWords
