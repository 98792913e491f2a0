/* The command's side of the launch: everything between clone and exec. */
#ifndef CODEX_CHILD_H
#define CODEX_CHILD_H

#include "spec.h"

/* Twin of LAUNCH_STAGES in src/native/codec/status-codec.ts. */
enum stage { STAGE_SUPERVISOR = 0, STAGE_SPEC, STAGE_IO, STAGE_PTY, STAGE_FORK, STAGE_SESSION, STAGE_CWD, STAGE_RESTRICT, STAGE_EXEC };

struct child_job {
  const struct spec *spec;
  pid_t supervisor;
  int stdio[3];
  int is_pty;
  int stage, error;   /* set by the child when it fails; the supervisor shares its memory until exec */
};

/* Starts the command. Returns its pid when it runs its own program, or -1 with job->stage and job->error set. */
pid_t child_start(struct child_job *job);

#endif
