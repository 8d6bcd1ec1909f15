// Runs before anything is painted: what this browser has chosen, so that no page is first shown in
// other colours or another language. All else is in src/settings.svelte.ts and src/words.
(function () {
  var root = document.documentElement;
  try {
    var chosen = JSON.parse(localStorage.getItem('hansu.settings') || '{}');
    if (/^(light|dark)$/.test(chosen.theme)) root.dataset.theme = chosen.theme;
    if (/^[a-z]+$/.test(chosen.board)) root.dataset.board = chosen.board;
    // Words in the other language stay hidden until the right ones are there.
    if (/^(ko|en)$/.test(chosen.lang) && chosen.lang !== root.lang) root.dataset.other = '';
  } catch {
    // Nothing stored, or nothing that makes sense: the page decides.
  }
})();
