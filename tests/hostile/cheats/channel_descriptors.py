# Tries: to send the other side a descriptor of its own.
import os
import socket


def total(numbers):
    channel = socket.socket(fileno=3)
    socket.send_fds(channel, [b"\x00"], [1, 2])
    channel.detach()
    return 0
