import { lucidePaths } from './lucide.ts'

/** SVG paths of the icons that only menus, dialogs, calls and settings show: loaded behind the page. */
export const LATER_PATHS = {
  ...lucidePaths({
    archive: 'archive',
    camera: 'video',
    cameraOff: 'video-off',
    check: 'check',
    copy: 'copy',
    expand: 'maximize',
    fair: 'signal-medium',
    float: 'picture-in-picture-2',
    good: 'signal-high',
    grid: 'layout-grid',
    link: 'link',
    pause: 'pause',
    play: 'play',
    minus: 'minus',
    poor: 'signal-low',
    speaker: 'presentation',
    next: 'chevron-right',
    previous: 'chevron-left',
    select: 'square-check',
    trash: 'trash',
    undeaf: 'headphones',
    zoomIn: 'zoom-in',
    zoomOut: 'zoom-out',
  }),
  /** A receiver that is put down. */
  hangUp: 'M3 14.5c5-4.6 13-4.6 18 0l-2.2 2.7-3.8-1.7v-2.6c-2-.6-4-.6-6 0v2.6l-3.8 1.7z',
}
