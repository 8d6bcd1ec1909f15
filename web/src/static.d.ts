// Which of two pages is built: that of the server, or a folder of files (`make static`).

/** Whether there is no server. Known when the page is built: what is not for it is left out. */
declare const STATIC: boolean;
