// Everyday tools inside workspace-write. What works outside works inside, unless it needs the network.
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

describe.each(users)('toolchains, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  beforeAll(() => {
    user = new SandboxUser(uid);
    ws = user.directory();
  });
  afterAll(() => user.close());
  const works = async (script: string, expected: string): Promise<void> => {
    const result = await user.shell(ws, workspaceWrite(), script);
    expect(result.stderr).toBe('');
    expect(result).toMatchObject({ exitCode: 0, stdout: expected });
  };

  it('node starts children synchronously and asynchronously, with pipes and messages', async () => {
    await works(
      `echo 'process.on("message", (m) => { process.send(m + 1); process.disconnect(); })' > child.js; node -e '
        const { spawnSync, fork, exec } = require("child_process");
        const sync = spawnSync("cat", { input: "sync" });
        if (sync.error) throw sync.error;
        exec("echo async", (error, out) => { if (error) throw error; console.log(String(sync.stdout), out.trim());
          const child = fork("child.js"); child.on("message", (m) => console.log("message", m)); child.send(1); });'`,
      'sync async\nmessage 2\n',
    );
  });

  it('node lists its network interfaces and runs workers', async () => {
    await works(
      `node -e 'require("os").networkInterfaces(); new (require("worker_threads").Worker)("console.log(\\"worker\\")", { eval: true })'`,
      'worker\n',
    );
  });

  it('npm installs a package from a local folder', async () => {
    await works(
      `mkdir -p dep app && echo '{"name":"dep","version":"1.0.0"}' > dep/package.json && echo 'module.exports = "dep"' > dep/index.js &&
       cd app && echo '{"name":"app","version":"1.0.0","scripts":{"go":"node -p \\"require(String.fromCharCode(100,101,112))\\""}}' > package.json &&
       npm_config_cache=$PWD/../cache npm install --offline --no-audit --no-fund --loglevel=silent --update-notifier=false ../dep > /dev/null && npm run --silent go`,
      'dep\n',
    );
  });

  it('python runs asyncio with threads and processes, and a virtual environment', async () => {
    await works(
      `cat > loop.py <<'P'
import asyncio, concurrent.futures, multiprocessing, subprocess
def square(n): return n * n
async def main():
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, square, 3))
    with concurrent.futures.ProcessPoolExecutor(2) as pool: print(await loop.run_in_executor(pool, square, 4))
    child = await asyncio.create_subprocess_exec("echo", "child", stdout=asyncio.subprocess.PIPE)
    print((await child.communicate())[0].decode().strip())
asyncio.run(main())
P
      /usr/bin/python3 loop.py && /usr/bin/python3 -m venv --without-pip env && env/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'`,
      '9\n16\nchild\nTrue\n',
    );
  });

  it('gcc and make build a program', async () => {
    await works(
      `mkdir -p c && cd c && printf '#include <stdio.h>\\nint main(void) { puts("built"); return 0; }\\n' > main.c && printf 'main: main.c\\n\\t@gcc -O1 -o main main.c\\n' > Makefile && make -j2 && ./main`,
      'built\n',
    );
  });

  it('git clones, branches and reads a repository', async () => {
    await user.host(
      ws,
      'mkdir -p source && cd source && git init -q . && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first',
    );
    await works(
      'git clone -q --no-local source copy && git -C copy log --format=%s && git -C copy status --porcelain',
      'first\n',
    );
  });

  it('bash runs jobs in the background and waits for them', async () => {
    await works(
      `bash -c 'exec 2>/dev/null; set -m; sleep 30 & kill %1; wait %1; echo $?; (exit 7) & wait $!; echo $?; jobs; echo a | tee b | cat'`,
      '143\n7\na\n',
    );
  });

  it('named pipes, locks, shared memory and temporary files work', async () => {
    await works(
      `mkfifo pipe && (echo through > pipe & cat pipe) && flock lock echo locked && echo x > /dev/shm/x && cat /dev/shm/x && f=$(mktemp) && rm $f && /usr/bin/python3 -c 'import multiprocessing as m; s = m.Semaphore(1); s.acquire(); print("semaphore")'`,
      'through\nlocked\nx\nsemaphore\n',
    );
  });
});
