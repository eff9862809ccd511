// Packages (.ptn) and NativeBackend delegates give PyTorch's outputs: by the reference operators, and as
// programs that are lowered here.

#include "app/tasks/base/package_file.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/model/model.h"
#include "app/tasks/verify/verify_file.h"
#include "backends/reference/interpreter.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using backends::reference::Interpreter;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using inspector::HostTensor;

constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;

/// Inputs and outputs of one execution.
struct Execution {
    std::string name;  ///< "forward.0"
    std::vector<HostTensor> inputs;
    std::vector<HostTensor> outputs;
};

/// Executions that follow one another on a freshly loaded program.
struct Sequence {
    std::string method;
    std::vector<Execution> executions;
};

void place(std::vector<HostTensor>& list, const std::string& index, HostTensor tensor) {
    const auto at = static_cast<std::size_t>(std::stoul(index));
    list.resize(std::max(list.size(), at + 1));
    list[at] = std::move(tensor);
}

/// Arrays are named METHOD.CASE.inK, METHOD.CASE.outK, METHOD.stepN.inK; METHOD.CASE.zeroK replaces an
/// output.
std::vector<Sequence> sequencesOf(const fs::path& file) {
    auto arrays = inspector::readTensorFile(file, std::nullopt, maxBytes);
    EXPECT_TRUE(arrays) << arrays.error().toString();
    std::map<std::pair<std::string, bool>, std::map<std::string, Execution>> all;
    bool hasZeros = false;
    for (const HostTensor& each : *arrays) {
        hasZeros = hasZeros || each.name.contains(".zero");
    }
    for (HostTensor& each : *arrays) {
        const std::size_t last = each.name.rfind('.');
        const std::size_t first = each.name.rfind('.', last - 1);
        const std::string method = each.name.substr(0, first);
        const std::string which = each.name.substr(first + 1, last - first - 1);
        const std::string role = each.name.substr(last + 1);
        Execution& execution = all[{method, which.starts_with("step")}][which];
        execution.name = method + "." + which;
        const std::size_t digit = role.find_first_of("0123456789");
        const std::string kind = role.substr(0, digit);
        if (kind == "in") {
            place(execution.inputs, role.substr(digit), std::move(each));
        } else if ((kind == "zero") == hasZeros) {
            place(execution.outputs, role.substr(digit), std::move(each));
        }
    }
    std::vector<Sequence> sequences;
    for (auto& [key, executions] : all) {
        Sequence& sequence = sequences.emplace_back();
        sequence.method = key.first;
        for (auto& [name, execution] : executions) {
            sequence.executions.push_back(std::move(execution));
        }
    }
    return sequences;
}

double elementAt(const core::Tensor& tensor, std::size_t index) {
    double value = std::numeric_limits<double>::quiet_NaN();
    core::visitRealType(
        tensor.dtype(),
        [&]<class T>(std::type_identity<T>) { value = static_cast<double>(tensor.data<T>()[index]); }, [] {});
    return value;
}

/// Decibels; infinity if equal.
double signalToNoise(const core::Tensor& made, const HostTensor& expected) {
    const core::Tensor wanted = inspector::viewOf(expected).value();
    if (made.numel() != wanted.numel()) {
        return -std::numeric_limits<double>::infinity();
    }
    double signal = 0;
    double noise = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(wanted.numel()); ++i) {
        const double value = elementAt(wanted, i);
        const double error = elementAt(made, i) - value;
        signal += value * value;
        noise += error * error;
    }
    return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

/// The required SQNR for the dtype of an output.
double requiredFor(core::ScalarType dtype) {
    constexpr double half = 50;
    constexpr double single = 100;
    return core::isReducedFloat(dtype) ? half
           : core::isFloating(dtype)   ? single
                                       : std::numeric_limits<double>::infinity();
}

void check(const core::Tensor* made, const HostTensor& expected, const std::string& what) {
    ASSERT_NE(made, nullptr) << what;
    EXPECT_GE(signalToNoise(*made, expected), requiredFor(made->dtype())) << what;
}

void interpret(const etrecord::Record& record, const Sequence& sequence, const std::string& file) {
    const kernels::ThreadPool threads(1);
    auto interpreter =
        Interpreter::edge(record, sequence.method, {.kernels = kernels::builtin(), .threads = threads});
    ASSERT_TRUE(interpreter) << file << ": " << interpreter.error().toString();
    for (const Execution& execution : sequence.executions) {
        std::vector<ReferenceValue> inputs;
        for (const HostTensor& input : execution.inputs) {
            inputs.push_back({ReferenceTensor{.view = inspector::viewOf(input).value(), .owner = nullptr}});
        }
        const auto outputs = (*interpreter)->run(inputs);
        ASSERT_TRUE(outputs) << file << " " << execution.name << ": " << outputs.error().toString();
        ASSERT_EQ(outputs->size(), execution.outputs.size()) << file;
        for (std::size_t i = 0; i < outputs->size(); ++i) {
            const auto* tensor = (*outputs)[i].as<ReferenceTensor>();
            check(tensor == nullptr ? nullptr : &tensor->view, execution.outputs[i],
                  fmt::format("{} {} output {}, interpreted", file, execution.name, i));
        }
    }
}

void execute(const fs::path& path, const Sequence& sequence) {
    const std::string file = path.filename().string();
    tasks::ModelOptions options;
    options.method = sequence.method;
    auto model = tasks::Model::open(path, options, nullptr);
    ASSERT_TRUE(model) << model.error().toString();
    executor::Method& method = *(*model)->method;
    for (const Execution& execution : sequence.executions) {
        std::vector<executor::InputValue> inputs;
        for (const HostTensor& input : execution.inputs) {
            inputs.emplace_back(executor::TensorInput{
                .dtype = input.dtype, .sizes = input.sizes, .dimOrder = input.dimOrder, .data = input.data});
        }
        const auto given = method.setInputs(inputs);
        ASSERT_TRUE(given) << file << " " << execution.name << ": " << given.error().toString();
        const auto done = method.execute();
        ASSERT_TRUE(done) << file << " " << execution.name << ": " << done.error().toString();
        ASSERT_EQ(method.outputCount(), execution.outputs.size()) << file;
        for (std::size_t i = 0; i < method.outputCount(); ++i) {
            check(method.output(i).as<core::Tensor>(), execution.outputs[i],
                  fmt::format("{} {} output {}, executed", file, execution.name, i));
        }
    }
}

fs::path expectedOf(const fs::path& file) {
    fs::path expected = file;
    return expected.replace_extension(".expected.npz");
}

TEST(PackagesTest, GraphsMatchPyTorchWhenInterpreted) {
    ET_NEEDS_SHARED_DATA();
    std::size_t checked = 0;
    for (const fs::path& file : sharedFiles("ptn", ".ptn")) {
        if (!fs::exists(expectedOf(file))) {
            continue;
        }
        auto opened = core::MappedFile::open(file).and_then(tasks::parseRecord);
        ASSERT_TRUE(opened) << opened.error().toString();
        for (const Sequence& sequence : sequencesOf(expectedOf(file))) {
            interpret(**opened, sequence, file.filename().string());
            ++checked;
        }
    }
    EXPECT_GE(checked, 21U);
}

TEST(PackagesTest, LoweredProgramsMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("ptn", ".ptn")) {
        if (fs::exists(expectedOf(file))) {
            for (const Sequence& sequence : sequencesOf(expectedOf(file))) {
                execute(file, sequence);
            }
        }
    }
}

TEST(PackagesTest, DelegatesOfNativeBackendMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("native_pte", ".pte")) {
        for (const Sequence& sequence : sequencesOf(expectedOf(file))) {
            execute(file, sequence);
        }
    }
}

/// The message of a file whose cases do not pass; empty if they do.
std::string failureOf(const fs::path& file, const fs::path& cases) {
    tasks::VerifySettings settings;
    settings.model.cases = cases;
    auto tolerances = tasks::parseTolerances(settings.tolerances);
    EXPECT_TRUE(tolerances) << tolerances.error().toString();
    settings.cases.tolerances = *std::move(tolerances);
    const auto report = tasks::verifyFile(file, settings);
    return report.verdict == bundled_program::Verdict::Pass ? "" : report.message;
}

TEST(PackagesTest, CasesOfTheTwinPass) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("ptn", ".ptn")) {
        fs::path twin = file;
        if (fs::exists(twin.replace_extension(".twin.bpte")) && file.filename() != "lost_constant.ptn") {
            EXPECT_EQ(failureOf(file, twin), "") << file.filename();
        }
    }
}

TEST(PackagesTest, BundledDelegatesOfNativeBackendPass) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("programs/backends/native", ".bpte")) {
        EXPECT_EQ(failureOf(file, {}), "") << file.filename();
    }
}

TEST(PackagesTest, LoweredLinearLayersStayQuantized) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const fs::path output = folder.path() / "lowered.pte";
    for (const auto& [name, bytes] :
         {std::pair("quant_affine4", 20'000U), std::pair("quant_affine4_zp", 14'000U),
          std::pair("quant_q4k", 24'000U)}) {
        const fs::path file = sharedData() / "ptn" / (std::string(name) + ".ptn");
        const auto lowered =
            tasks::lower({.record = file, .output = output, .backend = tasks::LowerBackend::None});
        ASSERT_TRUE(lowered) << name << ": " << lowered.error().toString();
        EXPECT_LT(fs::file_size(output), bytes) << name;
        fs::path twin = file;
        EXPECT_EQ(failureOf(output, twin.replace_extension(".twin.bpte")), "") << name;
    }
}

TEST(PackagesTest, LoweredRecordKeepsConstantMethods) {
    ET_NEEDS_SHARED_DATA();
    const fs::path models = sharedData() / "llm" / "models" / "tiny-a";
    const auto lowered = tasks::lower(
        {.record = models / "portable_fp32.etrecord", .output = {}, .backend = tasks::LowerBackend::None});
    ASSERT_TRUE(lowered) << lowered.error().toString();
    EXPECT_NE(lowered->program->findMethod("get_vocab_size"), nullptr);
}

TEST(PackagesTest, UnknownCodecIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const auto opened =
        core::MappedFile::open(sharedData() / "ptn" / "quant_mxfp4_opaque.ptn").and_then(tasks::parseRecord);
    if (!opened) {
        EXPECT_TRUE(opened.error().message.contains("mxfp4")) << opened.error().toString();
    }
}

}  // namespace
}  // namespace et::test
