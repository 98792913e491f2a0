// A program that speaks the protocol as lines on stdin and stdout.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Link, LinkReceiver } from './link.js';

export function stdioLink(child: ChildProcessWithoutNullStreams): Link {
  return {
    start(receiver: LinkReceiver) {
      let rest = '';
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) receiver.text(line);
      });
      child.on('close', (code, signal) => {
        if (rest !== '') receiver.text(rest);
        receiver.ended({ code, reason: signal ?? '' });
      });
    },
    send(frame) {
      child.stdin.write(frame);
      child.stdin.write('\n');
    },
    close: () => child.stdin.end(),
    drop: () => child.kill('SIGKILL'),
  };
}
