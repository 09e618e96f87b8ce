// Printed from locales/tr/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Genel',
    messages: 'Mesajlar',
    threads: 'Alt başlıklar',
    voice: 'Ses',
    people: 'Kişiler',
    server: 'Sunucu yönetimi',
    administrator: 'Her şey',
  },
  allowed: ({ n, all }) => `${all} izinden ${n} verildi`,
  set: (n) => (n === 0 ? 'Devralındı' : `Burada ${n} ayarlandı`),
  inServer: (isAllowed) => (isAllowed ? 'Sunucudan devralındı: izinli' : 'Sunucudan devralındı: izinsiz'),
  private: 'Özel kanal',
  privateOn: 'Onu yalnızca sahip, yöneticiler ve aşağıdaki roller görebilir.',
  privateOff: 'Onu her üye görebilir.',
  privateHint: 'Sen ayarlarından rol seçene dek onu yalnızca sahip ve yöneticiler görebilir.',
  whoSees: 'Kimler görebilir',
  noRoles: 'Seninkinin altında seçilebilecek rol yok.',
  choices: {
    deny: 'Reddet',
    inherit: 'Devral',
    allow: 'İzin ver',
  },
  moderatorsOnly: 'Yalnızca moderatörler yazar',
  moderatorsOnlyText: 'Herkes okuyabilir; iletileri yöneten roller yazabilir.',
} satisfies typeof permissionWords
