/* Names and limits that both ends of the wire know. */
#ifndef CODEX_NAMES_H
#define CODEX_NAMES_H

#define SOCKET_VARIABLE "CODEX_ESCALATE_SOCKET"   /* the number of the inherited descriptor */
#define WRAPPER_VARIABLE "BASH_EXEC_WRAPPER"      /* the path of the wrapper */
#define ZSH_WRAPPER_VARIABLE "EXEC_WRAPPER"       /* what a later reference calls it */
#define PHASE_VARIABLE "CODEX_EXEC_PHASE"         /* from a shell to its wrapper: "startup" while start-up files run */

#define MAX_FRAME (8u * 1024u * 1024u)
enum { MAX_FDS = 16 };

/* Exit codes of the wrapper for what is not the program's own doing. */
enum { EXIT_DENIED = 1, EXIT_CANNOT = 126, EXIT_MISSING = 127 };

#endif
