import type { webhookWords } from '../webhooks.ts'

export default {
  tab: '連携',
  title: 'Webhook',
  hint: 'Webhookは、ほかのプログラム（Grafana、GitHub、自作のスクリプトなど）がチャンネルに書き込むためのURLです。',
  name: 'Webhookの名前',
  channel: 'チャンネル',
  make: '新しいWebhook',
  none: 'まだWebhookがありません',
  noneText: '作成して、そのURLをほかのプログラムに貼り付けてください。',
  madeBy: (name) => `${name}が作成`,
  url: 'WebhookのURL',
  shownOnce:
    'このURLは一度だけ表示されます。持っている人はチャンネルに書き込めます。パスワードのように保管してください。',
  suffixes: 'Slack形式には /slack を、GitHub形式には /github を末尾に付けてください。',
  edit: (name) => `${name}を変更`,
  close: '閉じる',
  rotate: 'URLを更新',
  rotateText: 'これまでのURLはすぐに使えなくなります。使っているプログラムには新しいURLが必要です。',
  delete: (name) => `${name}を削除`,
  deleteText: 'このURLを使うプログラムは書き込めなくなります。書き込まれた内容は残ります。',
  mentions: '全員とすべてのロールをメンション可能',
  problems: {
    too_many_webhooks: 'このチャンネルにはすでに15個のWebhookがあります。',
  },
} satisfies typeof webhookWords
