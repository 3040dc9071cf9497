"""Prints 20,000 bytes of text with a grammar that two bytes of context do not tell."""

import random

random.seed(1)
words = ["alpha", "beta", "gamma", "delta", "epsilon"]
text = ""
while len(text) < 20000:
    word = random.choice(words)
    text += f"{word} says {word}\n"
print(text[:20000], end="")
