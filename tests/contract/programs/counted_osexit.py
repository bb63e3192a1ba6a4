import os
for i in range(5): print(i, flush=True)
os._exit(7)
