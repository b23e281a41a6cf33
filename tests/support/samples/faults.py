"""For each built-in rule the smallest program that breaks it, on the line that ends with `# here`."""

BAD = {
    "fd-leak": """
        import os
        def f(p):
            fd = os.open(p, 0)  # here
            if p:
                return 1
            os.close(fd)
        """,
    "socket-leak": """
        import socket
        def f():
            s = socket.socket()  # here
            try:
                s.connect(1)
            except OSError:
                return None
            return s
        """,
    "resource-leak": """
        def look(f):
            return f.read()
        def f(p):
            x = open(p)  # here
            return look(x)
        """,
    "database-leak": """
        import sqlite3
        def f(p):
            x = sqlite3.connect(p)  # here
            x.execute("vacuum")
            x.close()
        """,
    "temporary-file-left": """
        import os, tempfile
        def f(p):
            fd, name = tempfile.mkstemp()  # here
            os.write(fd, p)
            os.close(fd)
            os.remove(name)
        """,
    "zombie-process": """
        import subprocess
        def f():
            p = subprocess.Popen([])  # here
            print(p.pid)
        """,
    "attribute-not-restored": """
        class A:
            def f(self, g):
                old = self.x
                self.x = 1  # here
                open(g)
                self.x = old
        """,
    "state-not-restored": """
        import os
        def f(g):
            old = os.getcwd()
            os.chdir("/")  # here
            open(g)
            os.chdir(old)
        """,
    "process-left-on-timeout": """
        import subprocess
        def f(c):
            p = subprocess.Popen(c)
            p.communicate(timeout=5)  # here
        """,
    "lock-not-released": """
        def f(lock, g):
            lock.acquire()  # here
            open(g)
            lock.release()
        """,
    "cm-without-finally": """
        from contextlib import contextmanager
        @contextmanager
        def f(a):
            old = a.x
            a.x = 1
            yield  # here
            a.x = old
        """,
    "dead-store": """
        def f(g):
            x = g()  # here
            x = g()
            return x
        """,
    "blocking-in-async": """
        import time
        def deep():
            time.sleep(1)
        def middle():
            deep()
        async def f():
            middle()  # here
        """,
    "slow-in-async": """
        import shutil
        async def f(p):
            shutil.rmtree(p)  # here
        """,
    "yield-under-lock": """
        import threading
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            def f(self):
                with self.lock:  # here
                    yield 1
        """,
    "await-under-lock": """
        import threading
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            async def f(self, g):
                with self.lock:  # here
                    await g()
        """,
    "self-deadlock": """
        import threading
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            def size(self):
                with self.lock:
                    return 1
            def f(self):
                with self.lock:  # here
                    return self.size()
        """,
    "blocking-under-lock": """
        import threading, time
        lock = threading.Lock()
        def wait():
            time.sleep(1)
        def f():
            with lock:  # here
                wait()
        """,
    "endless-recursion": """
        def f(x):  # here
            return [f(x)]
        """,
    "init-order": """
        class A:
            def __init__(self):
                self.read()  # here
                self.x = 1
            def read(self):
                return self.x
        """,
}
