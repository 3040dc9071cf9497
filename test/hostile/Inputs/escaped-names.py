"""Prints a program whose arguments have one name, with what a terminal obeys, on a line of 5000 characters."""

import sys

name = '"a\\1B[31m\\FF"'
line = f"func.func @f(%x: tensor<2xf32> {{xf.name = {name}}}, %y: tensor<2xf32> {{xf.name = {name}}}) -> tensor<2xf32> {{"
program = f"{line} // \u00fc{'y' * 5000}\r\n  return %x : tensor<2xf32>\r\n}}\r\n"
sys.stdout.buffer.write(program.encode())
