// English: games of this browser, new versions, games that are gone, other devices.
export const en = {
  'gone.title': 'There is no such game',
  'gone.text': 'It may have been withdrawn, or the link is incomplete.',
  'gone.version': 'This page is out of date',
  'gone.version.text': 'The server was updated. Load the page again to go on.',
  'gone.elsewhere': 'This game is open in another tab',
  'gone.elsewhere.text':
    'It is kept in this browser, and one tab at a time can play it. Close the other tab to go on here.',
  'gone.elsewhere.again': 'Go on here',
  'local.full':
    'This browser could not save it, so it was not played. Free some storage and try again.',
  'static.title': 'This needs a server',
  'static.none':
    'This copy of Hansu has no server: play the computer, or two on this screen. To play with others, use a Hansu server.',
  'static.empty': 'No games in this browser yet.',
  'renewed.text': 'A new version is ready.',
  'renewed.now': 'Load it now',
  'renewed.later': 'Later',
  'here.title': 'Games in this browser',
  'here.text': 'In this browser, on this device.',
  'here.of': '{shown} of {all} shown',
  'here.none': 'No finished game in this browser yet.',
  'here.stats': 'The finished games in this browser.',
  'here.stats.away': 'The server cannot be reached. These are the finished games in this browser.',
  'here.import.text':
    'PGN, by file or pasted; at most 4 MiB. The games are kept in this browser, on this device.',
  'here.import.busy': 'Read: {part} %. Saved: {count} {count|game|games}.',
  'here.import.kept': 'The server cannot be reached, so they are kept in this browser.',
  'here.import.more':
    'Some games were left out: {most} new ones are read at once. Import the file again for the next ones; games that are here are recognized.',
  'here.import.full':
    'This browser keeps {most} games at most. Delete some, or put them on a server.',
  'here.import.stopped':
    'This browser could not save any more, after {count} {count|game|games}. Free some storage and import the file again; games that are here are recognized.',
  'here.risk':
    'The browser may delete them when storage runs low. Download the ones you want to keep as PGN.',
  'here.send': 'Put them on the server, too',
  'here.send.text':
    'They stay private and in this browser. Later games follow by themselves; you can turn this off in the settings.',
  'here.sent': 'Also on the server',
  'here.one': 'Put it on the server, too',
  'here.one.text': 'There it can be analysed, noted and shared.',
  'here.there': 'Analyse or share it on the server',
  'settings.upload': 'Put games of this browser on the server, too',
  'here.kept': 'Kept in this browser',
  'computer.loading': 'Loading the computer: {part} %',
  'computer.failed': 'The computer could not be loaded. Trying again …',
  'here.analyse': 'Analyse this game',
  'here.pgn': 'Download PGN',
  'here.all': 'Download all as PGN',
  'here.delete': 'Delete from this browser',
  'here.confirm':
    'Delete it from this browser? Unless it is on the server, it is kept nowhere else.',
  'here.yes': 'Delete',
  'here.no': 'Keep it',
  'devices.title': 'Other devices',
  'devices.text': 'Be the same player on your phone and your computer, without an account.',
  'devices.make': 'Use Hansu on another device',
  'devices.made':
    'Scan this with the other device, or type the code into its settings. It works once, for ten minutes.',
  'devices.qr': 'QR code for the other device',
  'devices.code': 'Code from the other device',
  'devices.use': 'Connect this device',
  'devices.warn': 'Games you have played on this device so far will no longer be yours.',
  'devices.used': 'Done. This device is now the same player as the other.',
  'devices.out': 'Sign out all other devices',
  'devices.out.ask':
    'Other devices will no longer be able to play your games. Everything stays on this device.',
  'devices.out.yes': 'Sign out',
  'devices.out.no': 'Not now',
  'devices.out.done': 'Done. Only this device plays your games now.',
} as const;
