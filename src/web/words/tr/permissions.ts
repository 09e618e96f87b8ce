import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Genel',
    messages: 'Mesajlar',
    threads: 'Alt başlıklar',
    voice: 'Ses',
    people: 'Kişiler',
    server: 'Sunucuyu yönetme',
    administrator: 'Her şey',
  },
  allowed: (n, all) => `${all} izinden ${n} verildi`,
  set: (n) => (n === 0 ? 'Üst düzeydeki gibi' : `Burada ${n} ayarlandı`),
  inServer: (isAllowed) => (isAllowed ? 'Sunucudaki gibi: izinli' : 'Sunucudaki gibi: izinsiz'),
  private: 'Özel kanal',
  privateOn: 'Onu yalnızca sahip, yöneticiler ve aşağıdaki roller görür.',
  privateOff: 'Onu her üye görür.',
  privateHint: 'Sen ayarlarından rol seçene dek onu yalnızca sahip ve yöneticiler görür.',
  whoSees: 'Kimler görür',
  noRoles: 'Seçilecek, seninkinin altında bir rol yok.',
  choices: {
    deny: 'Reddet',
    inherit: 'Üst düzeydeki gibi',
    allow: 'İzin ver',
  },
} satisfies typeof permissionWords
