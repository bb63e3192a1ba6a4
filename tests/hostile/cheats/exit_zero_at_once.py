# Tries: the same past every handler and every flush.
import os

os._exit(0)
