// Tests that --sanitize reports nothing for real programs and operators, and does not change their results.
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// The plan of these programs really overlaps: pytorch/executorch#21490.
constexpr std::string_view plannedOverlap = "cond_move_alias";

/// Every file with ET_SANITIZE_ALL=1, otherwise a sample.
std::size_t stepOf(std::size_t usual) {
    return std::getenv("ET_SANITIZE_ALL") == nullptr ? usual : 1;
}

/// Runs a method on inputs in a new module; the outputs' bytes.
core::Result<std::vector<std::vector<std::byte>>> outputsOf(const Model& model, const program::Method& method,
                                                            const InputSet& inputs) {
    executor::Module module = model.newModule(nullptr);
    ET_ASSIGN(executor::Method * loaded, module.load(method.name));
    std::vector<std::vector<std::byte>> outputs;
    for (int run = 0; run < 2; ++run) {
        ET_TRY(inputs.give(*loaded));
        ET_TRY(loaded->execute());
    }
    for (std::size_t i = 0; i < loaded->outputCount(); ++i) {
        if (const auto* const tensor = loaded->output(i).as<core::Tensor>()) {
            outputs.emplace_back(tensor->rawBytes().begin(), tensor->rawBytes().end());
        }
    }
    return outputs;
}

core::Result<std::vector<InputSet>> inputsOf(const Model& model, const program::Method& method) {
    constexpr std::size_t mostCases = 2;
    ET_ASSIGN(auto cases, caseInputs(model.bundle.get(), method.name, mostCases));
    std::vector<InputSet> sets;
    for (InputSet& each : cases) {
        sets.push_back(std::move(each));
    }
    if (sets.empty()) {
        ET_ASSIGN(InputSet random, randomInputs(method, 0, std::uint64_t{1} << 30U));
        sets.push_back(std::move(random));
    }
    return sets;
}

/// Number of executions; those that fail without --sanitize are not repeated with it.
std::size_t checkFile(const fs::path& path, std::size_t threads) {
    ModelOptions options;
    options.threads = threads;
    options.emulateFromAdjacentRecord = true;
    const auto plain = Model::prepare(path, options);
    options.sanitize = true;
    const auto checked = Model::prepare(path, options);
    if (!plain || !checked) {
        return 0;
    }
    std::size_t count = 0;
    for (const program::Method& method : (*plain)->program->methods) {
        const auto sets = inputsOf(**plain, method);
        for (std::size_t i = 0; sets && i < sets->size(); ++i) {
            const auto expected = outputsOf(**plain, method, (*sets)[i]);
            if (!expected) {
                continue;
            }
            const auto actual = outputsOf(**checked, method, (*sets)[i]);
            EXPECT_TRUE(actual) << path << " " << method.name << ": " << actual.error().toString();
            EXPECT_TRUE(!actual || *actual == *expected) << path << " " << method.name << " case " << i;
            ++count;
        }
    }
    for (const MemoryFinding& each : (*checked)->sanitizer->findings()) {
        ADD_FAILURE() << path << " with " << threads << " threads: " << traits(each.kind).meaning << ", "
                      << each.placeText() << ", " << each.accessText() << "; " << each.detail << "; "
                      << each.function << " " << each.sourceFile << ":" << each.sourceLine;
    }
    return count;
}

std::size_t checkFolder(std::string_view folder, std::size_t usualStep) {
    std::size_t count = 0;
    std::size_t number = 0;
    const std::size_t step = stepOf(usualStep);
    for (const std::string_view extension : {".bpte", ".pte", ".ptn"}) {
        for (const fs::path& path : test::sharedFiles(test::sharedData() / folder, std::string(extension))) {
            if (number++ % step != 0 || path.string().contains(plannedOverlap)) {
                continue;
            }
            for (const std::size_t threads : {1U, 2U}) {
                if (step == 1 || number / step % 2 == threads - 1) {
                    count += checkFile(path, threads);
                }
            }
        }
    }
    return count;
}

TEST(SanitizeReal, OperatorsHaveNoFindings) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GT(checkFolder("ops", 20), 20U);
    EXPECT_GT(checkFolder("ops_new", 4), 0U);
}

TEST(SanitizeReal, ProgramsHaveNoFindings) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view folder : {"programs", "programs2", "quant", "legacy", "xnnpack_bf16"}) {
        checkFolder(folder, 8);
    }
}

/// Delegates without a backend here are emulated or computed from their payload.
TEST(SanitizeReal, EmulatedProgramsHaveNoFindings) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view folder : {"backends_new", "mlx", "native_pte", "ptn", "pairs", "reports"}) {
        checkFolder(folder, 6);
    }
}

TEST(SanitizeReal, LanguageModelsHaveNoFindings) {
    ET_NEEDS_SHARED_DATA();
    checkFolder("llm", 6);
}

}  // namespace
}  // namespace et::tasks
