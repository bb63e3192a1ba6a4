# Tries: outcomes with the wrong things inside.
import os

ANSWERS = (b'["raised",[],""]', b'["raised","ValueError",""]', b'["raised",[1],""]', b"[[]]",
           b'["ok",0,{}]', b'["raised",["__import__"],"os"]', b'["raised",["__build_class__"],""]',
           b'["unplain",5]', b'["failed"]', b'[{"$":"set","v":[[]]}]', b'["ok",1e999]',
           b'["ok",{"$":"bytes","v":5},[]]', b'["ok",{"$":"float","v":1' + b"0" * 400 + b"},[]]")


def total(numbers):
    answer = ANSWERS[(sum(numbers) + os.getpid()) % len(ANSWERS)]
    os.write(3, len(answer).to_bytes(8, "little") + answer)
    return 0
