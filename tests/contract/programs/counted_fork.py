import os
pid = os.fork()
for i in range(3): pass
if pid == 0: os._exit(0)
os.waitpid(pid, 0)
print("parent")
