// Printed from locales/ja/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: '連携',
  title: 'Webhook',
  hint: 'Webhookは、ほかのプログラム（Grafana、GitHub、自作のスクリプトなど）がチャンネルに投稿するためのURLです。',
  name: 'Webhook名',
  channel: 'チャンネル',
  make: '新しいWebhook',
  none: 'まだWebhookがありません',
  noneText: '作成して、そのURLをほかのプログラムに貼り付けてください。',
  madeBy: (name) => `${name}が作成`,
  url: 'WebhookのURL',
  shownOnce:
    'このURLは一度だけ表示されます。知っている人は誰でもチャンネルに投稿できます。パスワードのように保管してください。',
  suffixes: 'Slack形式には /slack を、GitHub形式には /github を末尾に付けてください。',
  edit: (name) => `${name}を編集`,
  close: '閉じる',
  rotate: 'URLをリセット',
  rotateText: '古いURLはすぐに使えなくなります。使っているプログラムには新しいURLが必要です。',
  delete: (name) => `${name}を削除`,
  deleteText: 'このURLを使うプログラムは投稿できなくなります。メッセージは残ります。',
  mentions: '全員とすべてのロールをメンション可能',
  problems: {
    too_many_webhooks: 'このチャンネルにはすでに15個のWebhookがあります。',
  },
} satisfies typeof webhookWords
