#ifndef CODEX_NURSERY_H
#define CODEX_NURSERY_H

/* Where a supervisor from the nursery writes its statuses; the nursery's socket, which it keeps for its end only; and the pipes
   for what its first command prints, whose other ends Node has already. Its orders come in on SERVER_FD. Together `serverFds` in
   src/native/nursery/nursery-supervisor.ts. */
enum { NURSERY_STATUS_FD = 4, NURSERY_LIFELINE_FD, NURSERY_STDOUT_FD, NURSERY_STDERR_FD };

/* `codex-launcher --nursery`: a guardian that forks supervisors for Node, because a fork of Node is slow. Returns only in such
   a supervisor, when Node has opened its ends of the pipes between them. All signals are blocked before. */
void nursery_main(void);

#endif
