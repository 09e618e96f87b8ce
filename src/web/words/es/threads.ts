// Printed from locales/es/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Hilos',
    show: (isLively) => (isLively ? 'Hilos, con mensajes nuevos' : 'Hilos'),
    begin: 'Empezar un hilo',
    open: 'Abrir el hilo',
    archived: 'Archivados',
    close: 'Cerrar el hilo',
    panel: (name) => `Hilo ${name}`,
    messages: (n) => (n === 0 ? 'aún sin mensajes' : count(n, '# mensaje', '# de mensajes', '# mensajes')),
    follow: 'Seguir',
    unfollow: 'Siguiendo',
    followHint: 'Sus mensajes cuentan como no leídos',
    actions: 'Acciones del hilo',
    rename: 'Cambiar nombre',
    settings: 'Ajustes del hilo',
    link: 'Copiar enlace al hilo',
    archive: 'Archivar',
    bringBack: 'Desarchivar',
    lock: 'Bloquear',
    unlock: 'Desbloquear',
    locked: 'bloqueado',
    lockedHint: 'Este hilo está bloqueado.',
    archivedHint: 'Este hilo está archivado. Un mensaje nuevo lo trae de vuelta.',
    delete: 'Eliminar hilo',
    deleteText: 'Esto elimina el hilo con sus mensajes y archivos para todos.',
    answer: 'Marcar como respuesta',
    noAnswer: 'Ya no es la respuesta',
  },
} satisfies typeof threadWords
