// Printed from locales/tr/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: 'Başka bir zamanda',
  saved: {
    title: 'Kaydedilenler',
    none: 'Henüz bir şey kaydedilmedi',
    noneText: 'Bir mesajın menüsünden “Mesajı kaydet” seçeneğini kullan. Kaydettiklerini yalnızca sen görürsün.',
    note: 'Not',
    noteText: 'Yalnızca sen görürsün.',
    remind: 'Bana hatırlat',
    set: 'Hatırlatıcı kur',
    until: (time) => `Hatırlatıcı: ${time}`,
    since: (time) => `Hatırlatıcı, ${time} tarihinden beri bekliyor`,
    clear: 'Hatırlatıcıyı kaldır',
    done: 'Tamam',
    edit: 'Not ve hatırlatıcı…',
    remove: 'Kaydedilenlerden çıkar',
  },
  scheduled: {
    title: 'Planlananlar',
    none: 'Planlanan bir şey yok',
    noneText: 'Bir mesaj yaz ve göndermek yerine “Sonra gönder” seçeneğini kullan.',
    schedule: 'Planla',
    at: (time) => `Gönderilecek: ${time}`,
    edit: 'Düzenle…',
    held: 'Planlanan mesajların bekletiliyor, çünkü oturumların sonlandırıldı veya bir yedek geri yüklendi. Onları gözden geçir, sonra onayla.',
    isHeld: 'Sen onaylayana kadar bekletiliyor',
    confirm: 'Tümünü onayla',
    overdue: 'Gönderilmedi: zamanı geçmişti.',
  },
} satisfies typeof laterWords
