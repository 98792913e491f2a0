/** For people, where a command was ended because somebody outside took away what covered `path`. */
export function describeLostMount(path: string): string {
  return (
    `exec-server: stopped: ${path} was replaced, removed or moved from outside while this command ran, and what protected it ` +
    'there was gone; look at what stands there now, then run the command again'
  );
}
