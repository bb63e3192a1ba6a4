"""How a program grows: growing inputs, counted work, measured time, a class and a prediction."""
