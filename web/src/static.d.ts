// There are two builds of the page: for the server, and as a static folder (`make static`).

/** True in the static build, which has no server. A constant, so unused code is left out. */
declare const STATIC: boolean;
