//===- xf-reduce.cpp - Small programs that still go wrong -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a program smaller as long as a test finds it interesting. Tests are the same as for mlir-reduce, but the steps
// are not. mlir-reduce --reduction-tree does not track values, so that most of its attempts are invalid, and (in LLVM
// 22) it crashes on functions of fifty ops. xf-reduce finds values that go wrong by bisection, which takes about thirty
// tests.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/PrintHelp.h"
#include "compiler/tools/xf-reduce/Reducer.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Text/ReadProgram.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr StringLiteral help = R"(usage: xf-reduce MODEL.mlir --wrong-numbers [options]
       xf-reduce MODEL.mlir --test=PROGRAM [options]
Makes a program smaller, for as long as it stays interesting: drops functions, results, ops and clauses, returns earlier
values, takes later ones as inputs, simplifies patterns, shrinks sizes.

  --wrong-numbers      interesting: xf-run gives other numbers than the reference interpreter, or runs where that does
  --crash              interesting: xfc ends by an internal error
  --message=TEXT       interesting: xfc says TEXT, without regard to numbers in it
  --test=PROGRAM       interesting: PROGRAM, called with the name of a file, exits with 1, as for mlir-reduce (0: it is not)
  --test-arg=ARGUMENT  what PROGRAM or, without one, `xf-interesting` gets before the name of the file; repeated
  -o FILE              where the smaller program goes (standard output)
)";

namespace {
struct Options {
  std::string input, output = "-", test;
  std::vector<std::string> arguments;
};
} // namespace

static LogicalResult fail(const Twine &message) {
  llvm::errs() << "xf-reduce: error: " << message << "\n";
  return failure();
}

/// Stores an option that tells which programs are interesting. Returns false for any other option.
static bool setQuestion(StringRef argument, Options &options) {
  std::vector<std::string> &questions = options.arguments;
  if (argument == "--wrong-numbers" || argument == "--crash")
    return questions.insert(questions.begin(), argument.str()), true;
  if (argument.starts_with("--message="))
    return questions.insert(questions.begin(), argument.str()), true;
  if (argument.consume_front("--test-arg="))
    return questions.push_back(argument.str()), true;
  if (argument.consume_front("--test="))
    return options.test = argument, true;
  return false;
}

static LogicalResult parseOptions(ArrayRef<char *> arguments, Options &options) {
  for (size_t n = 0; n < arguments.size(); ++n) {
    StringRef argument = arguments[n];
    if (argument == "-o") {
      if (++n == arguments.size())
        return fail("expected a file name after -o, got none");
      options.output = arguments[n];
    } else if (!argument.starts_with("-") && options.input.empty()) {
      options.input = argument;
    } else if (!setQuestion(argument, options)) {
      return fail("expected options of xf-reduce --help, got '" + argument + "'");
    }
  }
  if (options.input.empty())
    return fail("expected a program, got none");
  if (options.test.empty() && options.arguments.empty())
    return fail("expected --wrong-numbers, --crash, --message=TEXT or --test=PROGRAM, got none");
  return success();
}

/// Stores to `options.test` the path of the test program. The user may give a path, or the name of a program on PATH.
/// The default is xf-interesting in the folder of this program, whose own path is `self` (argv[0]). Fails after
/// printing one line.
static LogicalResult findTest(char *self, Options &options) {
  if (options.test.empty()) {
    static int address;
    SmallString<256> path(llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(self, &address)));
    llvm::sys::path::append(path, "xf-interesting");
    options.test = path.str();
  } else if (!StringRef(options.test).contains('/')) {
    if (auto found = llvm::sys::findProgramByName(options.test))
      options.test = *found;
  }
  if (!llvm::sys::fs::can_execute(options.test))
    return fail("expected a program that tests, got '" + options.test + "', which cannot be executed");
  return success();
}

/// Repeats all steps until none of them changes anything.
static LogicalResult reduce(Reducer &reducer) {
  if (!reducer.isInteresting())
    return fail("expected an interesting program to begin with, got one that the test refuses");
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (auto *step : {reduceFunctions, cutFunctions, simplifyOps, shrinkSizes})
      isChanged |= step(reducer);
  }
  llvm::errs() << "xf-reduce: " << reducer.numTests() << " programs tested\n";
  return success();
}

static LogicalResult run(std::unique_ptr<llvm::MemoryBuffer> text, const Options &options, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module;
  {
    SourceMgrDiagnosticHandler handler(sources, &context);
    module = parseSourceFile<ModuleOp>(sources, &context);
  }
  if (!module)
    return failure();
  Tester tester(options.test, options.arguments);
  Reducer reducer(*module, tester);
  if (failed(reduce(reducer)))
    return failure();
  std::string message;
  auto file = openOutputFile(options.output, &message);
  if (!file)
    return fail(message);
  reducer.program().print(file->os());
  file->os().flush();
  if (std::error_code code = file->os().error()) { // an error that is not checked ends the process
    file->os().clear_error();
    return fail("expected to write '" + options.output + "': " + code.message());
  }
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  if (argc == 2 && StringRef(argv[1]) == "--help")
    return printHelp("xf-reduce", help);
  Options options;
  if (failed(parseOptions(ArrayRef(argv, argc).drop_front(), options)))
    return 2;
  if (failed(findTest(argv[0], options)))
    return 2;
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, tensor::TensorDialect, XfDialect,
                  xft::XftDialect>();
  auto text = readProgram("xf-reduce", options.input, registry);
  if (failed(text))
    return EXIT_FAILURE;
  std::unique_ptr<llvm::MemoryBuffer> program = std::move(*text);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  return failed(run(std::move(program), options, context));
}
