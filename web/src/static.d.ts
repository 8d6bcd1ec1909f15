/** Whether this is the page as a folder of files, which has no server (`make static`). Known when it
 *  is built: what is not for it is left out. */
declare const STATIC: boolean;
