// Whether a game that is shown waits for the one who looks: told in the title of the tab.
export const attention = $state({ yourTurn: false });
