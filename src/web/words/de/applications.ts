import type { applicationWords } from '../applications.ts'

export default {
  tab: 'Anwendungen',
  bots: 'Bots',
  hint:
    'Ein Bot ist ein Konto, das ein Programm von dir benutzt. Andere fügen ihn über seinen Link ihren ' +
    'Servern hinzu.',
  none: 'Noch keine Anwendungen',
  noneText: 'Erstelle eine, gib ihr Token einem Programm und füge sie einem Server hinzu.',
  create: 'Anwendung erstellen',
  name: 'Name der Anwendung',
  description: 'Was sie tut',
  url: 'URL für Interaktionen',
  urlText:
    'Nur für einen Bot, der ein Webdienst ist: Was Leute von ihm verlangen, wird dorthin gesendet, ' +
    'statt über das Gateway.',
  key: 'Öffentlicher Schlüssel für das Gesendete',
  token: 'Token',
  tokenText: 'Wer es hat, handelt als der Bot. Es wird nur dieses eine Mal gezeigt: Bewahre es beim Programm auf.',
  copyToken: 'Token kopieren',
  copyLink: 'Link kopieren',
  linkText: 'Wer ihn öffnet, kann den Bot einem Server hinzufügen, den er verwaltet.',
  edit: 'Bearbeiten',
  rotate: 'Neues Token',
  rotateText: 'Das Token, das das Programm jetzt hat, wird sofort ungültig.',
  remove: 'Löschen',
  removeText: 'Der Bot verlässt alle Server, für immer. Was er geschrieben hat, bleibt.',
  removeOf: (name) => `${name} löschen?`,
  rotateOf: (name) => `Ein neues Token für ${name}?`,
  addTo: 'Hinzufügen zu',
  choose: 'Server auswählen',
  add: (name) => `${name} hinzufügen`,
  by: (owner) => `Ein Bot von ${owner}`,
  permissions: 'Was er darf',
  permissionsText:
    'Er bekommt eine eigene Rolle mit höchstens den Rechten, die du selbst hast, neben dem, was alle dürfen.',
  unknown: 'Diesen Bot gibt es nicht',
  unknownText: 'Vielleicht wurde er gelöscht. Frag die Person, von der du den Link hast.',
  noServers:
    'Du verwaltest keinen Server, dem er hinzugefügt werden könnte. Dazu brauchst du „Server ' +
    'verwalten“ und „Rollen verwalten“.',
  added: (server) => `Er ist jetzt in ${server}.`,
  open: (server) => `Zu ${server}`,
  noBots: 'Keine Bots hier',
  noBotsText: 'Wer den Server und seine Rollen verwaltet, fügt einen Bot über dessen Link hinzu.',
  mayNothing: 'Keine Berechtigungen',
  mayEverything: 'Alles (Administrator)',
  kick: 'Entfernen',
  kickOf: (name) => `${name} entfernen?`,
  kickText: 'Er verlässt den Server samt seiner Rolle. Was er geschrieben hat, bleibt.',
} satisfies typeof applicationWords
