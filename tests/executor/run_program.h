#pragma once

#include "runtime/builder/program_builder.h"
#include "runtime/core/mapped_file.h"
#include "runtime/executor/method.h"
#include "runtime/program/program.h"
#include "tests/executor/test_operators.h"
#include "tests/support/error_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::test {

using Floats = std::vector<float>;

/// Returns a float tensor input that borrows both arguments.
inline executor::TensorInput floats(const std::vector<std::int64_t>& sizes, const Floats& elements) {
    return {.dtype = core::ScalarType::Float, .sizes = sizes, .data = std::as_bytes(std::span(elements))};
}

/// A built and loaded program: build with `program`, change `limits`, then load.
class LoadedProgram {
  public:
    explicit LoadedProgram(builder::ProgramBuilder& builder, executor::Limits limits = {},
                           const kernels::KernelRegistry& registry = testOperators())
        : environment{.kernels = registry, .threads = threads, .limits = limits} {
        auto bytes = builder.finish();
        EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().toString());
        if (bytes) {
            auto parsed =
                program::Program::parse(core::MappedFile::fromMemory(std::move(*bytes), "built.pte"));
            EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().toString());
            program = *parsed;
        }
    }

    core::Result<executor::Method*> load(std::string_view name = "forward") {
        if (!module) {
            module = std::make_unique<executor::Module>(program, environment);
        }
        return module->load(name);
    }
    /// Loads a method; failure fails the test.
    executor::Method& method(std::string_view name = "forward") {
        auto loaded = load(name);
        EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().toString());
        return **loaded;
    }

    /// Only after a method was loaded.
    [[nodiscard]] executor::Module& loadedModule() { return *module; }

    kernels::ThreadPool threads;
    executor::Environment environment;
    std::shared_ptr<const program::Program> program;

  private:
    std::unique_ptr<executor::Module> module;
};

/// Returns the elements of a float tensor in memory order.
inline Floats outputFloats(executor::Method& method, std::size_t index = 0) {
    const auto* tensor = method.output(index).as<core::Tensor>();
    EXPECT_NE(tensor, nullptr);
    const float* first = tensor->data<float>();
    return {first, first + tensor->numel()};
}

/// Returns a scalar output of the method; empty if it has another kind.
template <class T>
std::optional<T> outputNumber(executor::Method& method, std::size_t index = 0) {
    const T* number = method.output(index).as<T>();
    return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace et::test
