// The frontend from the installed headers and library.
#include <xf/xf.h>

#include <cstdio>

int main() {
  xf::Program program("square");
  program.entry("square", {{"x", xf::f32, {2}}}, [](xf::Tensor x) { return x * x; });
  xf::Array x(xf::f32, {2});
  x.data<float>()[0] = 3;
  x.data<float>()[1] = -4;
  xf::Arrays results = program.compile().call("square", {{"x", x}});
  std::printf("square = %g %g\n", results.at("square").data<float>()[0], results.at("square").data<float>()[1]);
  try {
    program.entry("bad", {{"x", xf::f32, {2}}, {"y", xf::f32, {3}}}, [](xf::Tensor x, xf::Tensor y) { return x + y; });
  } catch (const xf::Error &error) { // across the border of the library
    std::puts(error.message().c_str());
  }
}
