// Printed from locales/tr/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Entegrasyonlar',
  title: 'Webhook’lar',
  hint: 'Webhook, başka bir programın bir kanala mesaj göndermesini sağlayan URL’dir: Grafana, GitHub veya kendi betiğin.',
  name: 'Webhook adı',
  channel: 'Kanal',
  make: 'Yeni webhook',
  none: 'Henüz webhook yok',
  noneText: 'Bir tane oluştur ve URL’sini öteki programa yapıştır.',
  madeBy: (name) => `${name} tarafından`,
  url: 'Webhook URL’si',
  shownOnce: 'Bu URL yalnızca bir kez gösterilir. Ona sahip olan herkes kanala mesaj gönderebilir: parola gibi sakla.',
  suffixes: 'Slack biçimi için sonuna /slack, GitHub biçimi için /github ekle.',
  edit: (name) => `${name} düzenle`,
  close: 'Kapat',
  rotate: 'URL’yi sıfırla',
  rotateText: 'Eski URL hemen geçersiz olur. Onu kullanan programlara yenisi gerekir.',
  delete: (name) => `${name} sil`,
  deleteText: 'URL’sini kullanan programlar artık mesaj gönderemez. Mesajları kalır.',
  mentions: 'Herkesten ve her rolden bahsedebilir',
  problems: {
    too_many_webhooks: 'Bu kanalda zaten 15 webhook var.',
  },
} satisfies typeof webhookWords
