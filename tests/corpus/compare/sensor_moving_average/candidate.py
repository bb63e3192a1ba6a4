def moving_average(pulses: list[int], size: int) -> Iterator[float]:
    """The mean of each full window, one after the other.

    Raises:
        ValueError: The window is empty; raised with the first item.
    """
    if size < 1:
        raise ValueError("the window is empty")
    window: deque[int] = deque()
    total = 0
    for pulse in pulses:
        window.append(pulse)
        total += pulse
        if len(window) > size:
            total -= window.popleft()
        if len(window) == size:
            yield total / size
