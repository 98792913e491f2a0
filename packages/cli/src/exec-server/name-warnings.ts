// Says at the start of a server that its clients should not call it `localhost`.
import type { Logger } from '@codex/exec-server-core/defaults';

const HAS_NAMES = /^(?:127\.0\.0\.1|\[::1\])$/;

export function warnOfOtherLoopback(
  { url, namesLeadHere }: { readonly url: string; readonly namesLeadHere: boolean },
  logger: Logger,
): void {
  const { hostname, port } = new URL(url);
  if (namesLeadHere || !HAS_NAMES.test(hostname)) return;
  const other = hostname === '[::1]' ? '127.0.0.1' : '[::1]';
  logger.warn(
    `another program has port ${port} of ${other}, where \`localhost\` leads as well: connect to ${hostname}, or take another port`,
  );
}
