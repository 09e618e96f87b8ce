/** The names of keys that are shown as signs. */
const keys: Record<string, string> = {
  Mod: 'Control',
  ArrowUp: 'Arrow up',
  ArrowDown: 'Arrow down',
  ArrowLeft: 'Arrow left',
  ArrowRight: 'Arrow right',
  '/': 'Slash',
  '+': 'Plus',
  '-': 'Minus',
}

/** Words for keyboard shortcuts and the quick switcher. */
export const shortcutWords = {
  keys,
  shortcuts: {
    title: 'Keyboard shortcuts',
    anywhere: 'Anywhere',
    writing: 'While writing',
    onMessage: 'On a message',
    inViewer: 'In the picture viewer',
    inChannels: 'On a channel in the list',
    newLine: 'New line',
    editLast: 'Edit your last message, in an empty field',
    cancel: 'Cancel the reply or the edit',
    messageAbove: 'Message above',
    messageBelow: 'Message below',
    moveUp: 'Move the channel up',
    moveDown: 'Move the channel down',
    channelAbove: 'Channel above',
    channelBelow: 'Channel below',
    unreadAbove: 'Unread channel above',
    unreadBelow: 'Unread channel below',
  },
  switcher: {
    title: 'Find anything',
    placeholder: 'A channel, person or server',
    group: 'Group',
    friend: 'Friend',
    server: 'Server',
    nothing: 'Nothing has this name.',
  },
}
