import type { laterWords } from '../later.ts'

export default {
  at: '別の日時',
  saved: {
    title: '保存済み',
    none: '保存したものはまだありません',
    noneText: 'メッセージのメニューで「メッセージを保存」を選びます。保存したものはあなただけに表示されます。',
    note: 'メモ',
    noteText: 'あなただけに表示されます。',
    remind: 'リマインド',
    set: 'リマインダーを設定',
    until: (time) => `リマインダー: ${time}`,
    since: (time) => `リマインダー: ${time}から未対応`,
    clear: 'リマインダーを削除',
    done: '完了',
    edit: 'メモとリマインダー…',
    remove: '保存を取り消す',
  },
} satisfies typeof laterWords
