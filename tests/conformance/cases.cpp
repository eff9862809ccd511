#include "tests/conformance/cases.h"

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace et::conformance {
namespace {

namespace dom = simdjson::dom;

class Manifest {
  public:
    explicit Manifest(const std::filesystem::path& data)
        : root(parser.load((data / "manifest.json").string()).value()) {}

    dom::array list(std::string_view key) { return root[key].get_array().value(); }

  private:
    dom::parser parser;
    dom::element root;
};

bundled_program::Tolerance toleranceOf(dom::element entry) {
    return {.relative = entry["rtol"].get_double().value(), .absolute = entry["atol"].get_double().value()};
}

/// True if this build has every delegate of the program.
bool runsHere(dom::element program) {
    const dom::array methods = program["methods"].get_array().value();
    for (const dom::element method : methods) {
        const dom::array delegates = method["delegates"].get_array().value();
        for (const dom::element delegate : delegates) {
            const std::string_view name = delegate.get_string().value();
            if (std::ranges::find(backends::builtin(), name, &executor::Backend::name) ==
                backends::builtin().end()) {
                return false;
            }
        }
    }
    return true;
}

/// True if case `index` must be refused: its note says that it is larger than the plan.
bool mustBeRefused(const Case& test, std::size_t index) {
    return test.file.ends_with("map/dynamic.bpte") && index == 2;
}

/// Expected error when the program is loaded; empty if it must load. The exporter dropped the only node of
/// this one's first delegate, and with it the input's scale, which is stored nowhere else.
std::string_view refusalOf(const Case& test) {
    constexpr std::string_view unsound =
        "ops/xnnpack/conv2d__qs8_conv_transpose_2d_quantize_per_channel_multi_axis_2.";
    return test.file.starts_with(unsound) ? "is read before it is written" : "";
}

class CaseRun {
  public:
    CaseRun(const Case& given, std::string& text) : test(given), out(text) {}

    void run(executor::Module& module, const bundled_program::Bundle& bundle) {
        for (const auto& suite : bundle.suites) {
            auto method = module.load(suite.method);
            if (const std::string_view refusal = refusalOf(test); !refusal.empty()) {
                const std::string got = method ? "a method" : method.error().toString();
                out += got.contains(refusal) ? "" : fmt::format("expected \"{}\", got {}\n", refusal, got);
                continue;
            }
            if (!method) {
                out += method.error().toString() + "\n";
                continue;
            }
            for (std::size_t i = 0; i < suite.cases.size(); ++i) {
                check(**method, suite.cases[i], i);
            }
        }
    }

  private:
    void check(executor::Method& method, const bundled_program::TestCase& testCase, std::size_t index) {
        const auto done =
            bundled_program::setInputs(method, testCase).and_then([&] { return method.execute(); });
        if (mustBeRefused(test, index)) {
            out += done ? fmt::format("case {}: expected an error\n", index) : "";
            return;
        }
        if (!done) {
            out += fmt::format("case {}: {}\n", index, done.error().toString());
            return;
        }
        if (testCase.expectedOutputs.size() != method.outputCount()) {
            out += fmt::format("case {}: expected {} outputs, got {}\n", index,
                               testCase.expectedOutputs.size(), method.outputCount());
        }
        const std::size_t both = std::min(testCase.expectedOutputs.size(), method.outputCount());
        for (std::size_t i = 0; i < both; ++i) {
            const auto result = bundled_program::compare(method.output(i), testCase.expectedOutputs[i],
                                                         bundled_program::Tolerances(test.tolerance));
            if (!result.agrees()) {
                out += fmt::format("case {}, output {}: {}\n", index, i, result.difference);
            }
        }
    }

    const Case& test;
    std::string& out;
};

/// Programs that lack data from which PyTorch computed their results, so the manifest's tolerance cannot be
/// met in all cases; docs/reference/differences.md has the numbers.
struct Lossy {
    std::string_view file;  ///< file name prefix, relative to the data folder
    bundled_program::Tolerance tolerance;
};
constexpr std::array lossy = std::to_array<Lossy>({
    // The scales of 4-bit weights were rounded to bfloat16, an error of up to 0.2 %.
    {"ops/xnnpack/linear__linear_qd8_f32_per_token_weight_per_channel_group_int4.",
     {.relative = 0.001, .absolute = 0.0005}},
    {"ops/xnnpack/linear__linear_qd8_f32_per_token_weight_per_channel_group_int4_2.",
     {.relative = 0.001, .absolute = 0.002}},
    {"ops/xnnpack/linear__linear_qd8_f32_per_token_weight_per_channel_group_int4_6.",
     {.relative = 0.001, .absolute = 0.003}},
    // The bias was rounded to an integer number of steps, which changes results near the middle of two 8-bit
    // values by one step of the output.
    {"ops/xnnpack/conv1d__qs8_conv1d_even_kernel_same_padding_4.", {.relative = 0, .absolute = 0.0107}},
    {"ops/xnnpack/conv2d__qs8_conv2d_test.", {.relative = 0, .absolute = 0.0111}},
    {"ops/xnnpack/conv2d__qs8_tconv_output_padding_2.", {.relative = 0, .absolute = 0.0107}},
});

bundled_program::Tolerance toleranceOf(std::string_view file, dom::element entry) {
    const auto found =
        std::ranges::find_if(lossy, [&](const Lossy& each) { return file.starts_with(each.file); });
    return found == lossy.end() ? toleranceOf(entry) : found->tolerance;
}

}  // namespace

std::vector<Case> operatorCases(const std::filesystem::path& data, std::string_view folder) {
    Manifest manifest(data);
    std::vector<Case> cases;
    const dom::array entries = manifest.list("operators");
    for (const dom::element entry : entries) {
        const std::string_view file = entry["file"].get_string().value();
        if (file.starts_with(folder)) {
            cases.push_back(
                {.file = std::string(file), .tolerance = toleranceOf(file, entry), .tensorData = {}});
        }
    }
    return cases;
}

std::vector<Case> libraryCases(const std::filesystem::path& data) {
    dom::parser parser;
    const dom::array entries = parser.load((data / "ops_new/manifest.json").string()).get_array().value();
    std::vector<Case> cases;
    for (const dom::element entry : entries) {
        // Stricter than the manifest: about 100 dB.
        if (entry["cache"].error() != simdjson::SUCCESS) {
            cases.push_back({.file = "ops_new/" + std::string(entry["file"].get_string().value()),
                             .tolerance = {.relative = 1e-5, .absolute = 1e-5},
                             .tensorData = {}});
        }
    }
    return cases;
}

std::vector<Case> runnablePrograms(const std::filesystem::path& data) {
    Manifest manifest(data);
    std::vector<Case> cases;
    const dom::array programs = manifest.list("programs");
    for (const dom::element program : programs) {
        if (!runsHere(program)) {
            continue;
        }
        Case test{.file = {}, .tolerance = toleranceOf(program), .tensorData = {}};
        const dom::array files = program["files"].get_array().value();
        for (const dom::element name : files) {
            const std::string_view file = name.get_string().value();
            if (file.ends_with(".bpte")) {
                test.file = file;
            } else if (file.ends_with(".ptd")) {
                test.tensorData.emplace_back(file);
            }
        }
        if (!test.file.empty()) {
            cases.push_back(std::move(test));
        }
    }
    return cases;
}

std::string runCase(const std::filesystem::path& data, const Case& test, const kernels::ThreadPool& threads) {
    const auto bundle = bundled_program::Bundle::open(data / test.file);
    if (!bundle) {
        return bundle.error().toString() + "\n";
    }
    const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
    if (!program) {
        return program.error().toString() + "\n";
    }
    std::vector<std::shared_ptr<const program::TensorData>> tensorData;
    for (const std::string& file : test.tensorData) {
        auto opened = program::TensorData::open(data / file);
        if (!opened) {
            return opened.error().toString() + "\n";
        }
        tensorData.push_back(*opened);
    }
    executor::Module module(*program, executor::Environment{.kernels = kernels::builtin(),
                                                            .backends = backends::builtin(),
                                                            .tensorData = tensorData,
                                                            .threads = threads});
    std::string text;
    CaseRun(test, text).run(module, **bundle);
    return text;
}

}  // namespace et::conformance
