import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Mesajı bildir',
  reportProfile: 'Profili bildir',
  reason: 'Neden',
  note: 'Ne bilmeliler? (isteğe bağlı)',
  readers: 'Kim okusun?',
  toModerators: (server) => `${server} moderatörleri`,
  toOperator: 'Yalnızca bu kurulumun işletmecisi',
  readByModerators: (server) =>
    `Bunu, ${server} sunucusunun bu üyenin üzerinde olan ve bu kanalı okuyabilen moderatörleri ` +
    'okur. Kimin bildirdiğini görürler.',
  readByOperator: 'Bunu yalnızca bu kurulumun işletmecisi okur, moderatörler okumaz. Kimin bildirdiğini görür.',
  kept: 'Metni, önceki beş mesajı ve dosyaları şu anki hâlleriyle alırlar.',
  keptProfile: 'Adları ve resmi şu anki hâlleriyle alırlar.',
  send: 'Bildirimi gönder',
  sent: 'Bildiriminiz gönderildi. Teşekkürler.',
  reasons: {
    spam: 'Spam veya reklam',
    harassment: 'Taciz veya zorbalık',
    hate: 'Bir gruba karşı nefret',
    violence: 'Şiddet veya tehdit',
    sexual: 'İstenmeyen cinsel içerik',
    minor_safety: 'Çocuk güvenliği',
    self_harm: 'Kendine zarar verme veya intihar',
    illegal: 'Yasa dışı bir şey',
    impersonation: 'Başkasının yerine geçme',
    other: 'Başka bir şey',
  },
} satisfies typeof moderationWords
