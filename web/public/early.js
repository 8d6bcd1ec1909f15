// Runs before the first paint: applies the stored settings, so that the page is never first shown
// in other colours or another language. All other settings are in src/settings.svelte.ts and
// src/words.
(function () {
  var root = document.documentElement;
  try {
    var chosen = JSON.parse(localStorage.getItem('hansu.settings') || '{}');
    if (/^(light|dark)$/.test(chosen.theme)) root.dataset.theme = chosen.theme;
    if (/^[a-z]+$/.test(chosen.board)) root.dataset.board = chosen.board;
    // Texts in the other language stay hidden until the right ones are loaded.
    if (/^(ko|en)$/.test(chosen.lang) && chosen.lang !== root.lang) root.dataset.other = '';
  } catch {
    // Nothing stored, or not valid: the defaults are used.
  }
})();
