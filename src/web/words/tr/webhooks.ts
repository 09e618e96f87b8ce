import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Entegrasyonlar',
  title: 'Webhook’lar',
  hint: 'Webhook, başka bir programın bir kanala yazdığı URL’dir: Grafana, GitHub, senin bir betiğin.',
  name: 'Webhook’un adı',
  channel: 'Kanal',
  make: 'Yeni webhook',
  none: 'Henüz webhook yok',
  noneText: 'Bir tane oluştur ve URL’sini öteki programa yapıştır.',
  madeBy: (name) => `${name} tarafından`,
  url: 'Webhook’un URL’si',
  shownOnce: 'Bu URL bir kez gösterilir. Ona sahip olan kanala yazabilir: parola gibi sakla.',
  suffixes: 'Slack biçimi için sonuna /slack, GitHub biçimi için /github ekle.',
  edit: (name) => `${name} düzenle`,
  close: 'Kapat',
  rotate: 'URL’yi yenile',
  rotateText: 'Önceki URL hemen geçersiz olur. Onu kullanan programlara yenisi gerekir.',
  delete: (name) => `${name} sil`,
  deleteText: 'URL’sini kullanan programlar artık yazamaz. Yazdıkları kalır.',
  mentions: 'Herkesten ve her rolden bahsedebilir',
  problems: {
    too_many_webhooks: 'Bu kanalda zaten 15 webhook var.',
  },
} satisfies typeof webhookWords
