import type { laterWords } from '../later.ts'

export default {
  at: 'En otro momento',
  saved: {
    title: 'Guardados',
    none: 'Aún no hay nada guardado',
    noneText: 'Elige «Guardar mensaje» en el menú de un mensaje. Solo tú ves lo que guardas.',
    note: 'Nota',
    noteText: 'Solo tú la ves.',
    remind: 'Recordármelo',
    set: 'Fijar recordatorio',
    until: (time) => `Recordatorio ${time}`,
    since: (time) => `Recordatorio, pendiente desde ${time}`,
    clear: 'Quitar recordatorio',
    done: 'Hecho',
    edit: 'Nota y recordatorio…',
    remove: 'Quitar de guardados',
  },
} satisfies typeof laterWords
