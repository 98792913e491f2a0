// Trees of processes that try to outlive the server that started them. Each keeps the variable HOSTILE_TREE in its environment,
// by which survivors are found.

export const STUBBORN_TREES: Readonly<Record<string, string>> = {
  'a daemon in a session of its own': 'setsid sh -c "sleep 300" & wait',
  'one forked twice': '(setsid sh -c "sleep 300 & exit" &); sleep 300',
  'one deaf to every polite signal': "trap '' TERM INT HUP QUIT; while :; do sleep 0.1; done",
  'one that starts others all the time': 'while :; do (setsid sleep 300 &); sleep 0.05; done',
  'one whose leader has gone': 'setsid sh -c "sleep 300" >/dev/null 2>&1 </dev/null & exit 0',
  'one that is stopped': 'sleep 300 & kill -STOP $!; kill -STOP $$',
  'one that stops its supervisor': '(while :; do kill -STOP $PPID; done) 2>/dev/null & sleep 300',
  'one that takes descriptors from its supervisor':
    'command -v prlimit >/dev/null && prlimit --pid $PPID --nofile=0 2>/dev/null; setsid sleep 300 & sleep 300',
  'one that kills its supervisor': 'setsid sh -c "sleep 300" & sleep 0.2; kill -9 $PPID; sleep 300',
  'one that stops its guardian and kills its supervisor':
    '(setsid sleep 300 >/dev/null 2>&1 &); S=$PPID; G=$(cut -d" " -f4 /proc/$S/stat); sleep 0.3; kill -STOP $G; kill -9 $S; sleep 300',
  'a chain of forks':
    "exec perl -e 'my $end = time + 20; while (time < $end) { my $child = fork; exit 0 if $child; select undef, undef, undef, 0.001; }'",
};
