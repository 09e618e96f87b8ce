// Printed from locales/tr/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    title: 'Alt başlıklar',
    show: (isLively) => (isLively ? 'Alt başlıklar, yeni mesajlar var' : 'Alt başlıklar'),
    begin: 'Alt başlık başlat',
    open: 'Alt başlığı aç',
    archived: 'Arşivlenmiş',
    close: 'Alt başlığı kapat',
    panel: (name) => `${name} alt başlığı`,
    messages: (n) => (n === 0 ? 'henüz mesaj yok' : `${digits(n)} mesaj`),
    follow: 'Takip et',
    unfollow: 'Takip ediliyor',
    followHint: 'Mesajları okunmamış sayılır',
    actions: 'Alt başlık işlemleri',
    rename: 'Yeniden adlandır',
    settings: 'Alt başlık ayarları',
    link: 'Alt başlığın bağlantısını kopyala',
    archive: 'Arşivle',
    bringBack: 'Arşivden çıkar',
    lock: 'Kilitle',
    unlock: 'Kilidi aç',
    locked: 'kilitli',
    lockedHint: 'Bu alt başlık kilitli.',
    archivedHint: 'Bu alt başlık arşivlendi. Yeni bir mesaj onu geri getirir.',
    delete: 'Alt başlığı sil',
    deleteText: 'Bu, alt başlığı mesajları ve dosyalarıyla herkes için siler.',
    answer: 'Yanıt olarak işaretle',
    noAnswer: 'Artık yanıt değil',
  },
} satisfies typeof threadWords
